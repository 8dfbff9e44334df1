import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/client/index.ts'
import { TurnstepError } from '../../src/core/errors.ts'
import { defineAgent } from '../../src/define-agent.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { type Gate, gate } from '../../src/testing/gate.ts'
import { callTools, hangAfter, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { ActivityGates } from '../support/activity-gates.ts'
import { callsIn } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

/** `EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED` of Temporal's API. */
const CANCEL_REQUESTED = 20

const probe = defineTool({
  name: 'probe',
  description: 'Looks.',
  effect: 'read',
  input: { type: 'object' },
  run: () => 'seen',
})

describe('a Turn on Temporal', () => {
  let world: TurnWorld
  let session: Session
  let hold: Gate

  beforeEach(async () => {
    hold = gate()
    world = await TurnWorld.open({ tools: [probe], limits: { maxSteps: 300 } })
    session = world.client.session(world.newSessionId())
  })
  afterEach(async () => {
    hold.open()
    await world.close()
  })

  const workflow = () => world.temporal.workflow.getHandle(`turnstep:default:${session.id}`)

  it('B70: adds nothing to its history while it waits', async () => {
    world.model.enqueue(holdAfter(1, hold, say(['It ', 'is.'])))
    await world.startWorker()
    await session.followup('Go.', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    const before = await heartbeat()
    const { historyLength } = await workflow().describe()
    await eventually(async () => (await heartbeat()) - before > 2_000)
    expect((await workflow().describe()).historyLength).toBe(historyLength)
    hold.open()
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({ reason: 'completed' })
  })

  it('B70: goes on in a new run before its history is long, with every input that waits', async () => {
    const steps = Array.from({ length: 105 }, (_, index) => callTools({ tool: `tool-${index}` }))
    const [first, ...rest] = steps
    const slow = holdAfter(1, hold, { ...first, text: ['Let ', 'me see.'] })
    world.model.enqueue(slow, ...rest, say('Done.'), say('Second.'), say('Third.'))
    await world.startWorker()
    await session.followup('Go.', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    await session.followup('Second, please.', { id: 'f2' })
    await session.followup('Third, please.', { id: 'f3' })
    hold.open()
    expect(await session.turn('f1').result({ timeoutMs: 50_000 })).toMatchObject({
      text: 'Done.',
      steps: 106,
    })
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({ turn: 2, text: 'Second.' })
    expect(await session.turn('f3').result({ timeoutMs: 20_000 })).toMatchObject({ turn: 3, text: 'Third.' })
    await session.whenIdle({ timeoutMs: 20_000 })
    const log = await world.settledLog(session.id)
    expect(log.filter(({ type }) => type === 'turn/continued')).toHaveLength(1)
    expect(world.model.journal.count).toBe(108)
  })

  it('B72: sees all of several signals that one activation brings at its end', async () => {
    const gates = new ActivityGates()
    const answers = ['Two.', 'Three.', 'Four.', 'Five.']
    world.model.enqueue(say('One.'), ...answers.map((text) => say(text)))
    const workflows = await world.startWorker({ takes: 'workflows' })
    await world.startWorker({ takes: 'activities', interceptors: gates.interceptors })
    const closing = gates.hold('closeTurn', 'after')
    await session.followup('Go.', { id: 'f1' })
    await closing.reached
    await workflows.stop()
    await session.followup('Second.', { id: 'f2' })
    await session.steer('Third.', { id: 's3' })
    await session.followup('Second.', { id: 'f2' })
    await session.followup('Fourth.', { id: 'f4' })
    await session.steer('Fifth.', { id: 's5' })
    closing.release()
    await eventually(async () => ((await workflow().describe()).raw.pendingActivities ?? []).length === 0)
    await world.startWorker({ takes: 'workflows' })
    expect(await session.turn('f4').result({ timeoutMs: 20_000 })).toMatchObject({ turn: 3, text: 'Three.' })
    expect(await session.turn('s3').result()).toMatchObject({ turnId: 'f2', turn: 2, text: 'Two.' })
    expect(await session.turn('s5').result()).toMatchObject({ turnId: 'f2', turn: 2 })
    const second = world.model.journal.chats[1]?.body.messages ?? []
    expect(second.slice(-3).map(chatText)).toEqual(['Third.', 'Fifth.', 'Second.'])
    await session.whenIdle({ timeoutMs: 10_000 })
    await world.settledLog(session.id)
    expect(world.model.journal.count).toBe(3)
  })

  it('B74: beats while its model call is still being prepared', async () => {
    const gates = new ActivityGates()
    const preparing = gate()
    world.model.enqueue(say('Well.'))
    const store = new Proxy(world.store, {
      get: (target, name: keyof typeof world.store) => {
        if (name !== 'getContent') return target[name].bind(target)
        return async (tenant: string, digest: string) => {
          await preparing.opened
          return target.getContent(tenant, digest)
        }
      },
    })
    const opened = gates.hold('openTurn', 'after')
    const first = await world.startWorker({ interceptors: gates.interceptors })
    await session.followup('Go.', { id: 'f1' })
    await opened.reached
    const stopped = first.stop()
    opened.release()
    await stopped
    await world.startWorker({ store })
    await eventually(async () => (await pending())?.activityType?.name === 'callModel')
    const before = await heartbeat()
    await eventually(async () => (await heartbeat()) - before > 4_000)
    expect((await pending())?.attempt).toBe(1)
    preparing.open()
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({ text: 'Well.' })
    expect(world.model.journal.count).toBe(1)
  })

  it('B76: is aborted though its agent is gone', async () => {
    world.model.enqueue(hangAfter(1, say(['It ', 'is.'])))
    const worker = await world.startWorker()
    await session.followup('Go.', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    await worker.stop()
    const aborting = session.abort({ turnId: 'f1', timeoutMs: 20_000 })
    await eventually(async () => {
      const { events } = await workflow().fetchHistory()
      return (events ?? []).some(({ eventType }) => Number(eventType) === CANCEL_REQUESTED)
    })
    await world.startWorker({ agents: [otherAgent('successor')] })
    expect(await aborting).toMatchObject({ turnId: 'f1', reason: 'aborted' })
    await session.whenIdle({ timeoutMs: 20_000 })
    await world.settledLog(session.id)
  })

  it('B76: ends when its agent is gone, and the Session goes on with another', async () => {
    world.model.enqueue(hangAfter(1, say(['It ', 'is.'])), say('I am new here.'))
    const worker = await world.startWorker()
    await session.followup('Go.', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    await worker.stop()
    await world.startWorker({ agents: [otherAgent('successor')] })
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'error',
      code: 'unknown-agent',
    })
    await session.followup('Who are you?', { id: 'f2' })
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({ text: 'I am new here.' })
    await world.settledLog(session.id)
  })

  it('B76: ends when its model cannot be used', async () => {
    const unusable = () => Promise.reject(new TurnstepError('invalid-config', 'As the test wanted.'))
    const model = { name: 'unusable', respond: unusable }
    await world.startWorker({ agents: [defineAgent({ name: 'tester', instructions: 'Test.', model })] })
    await session.followup('Go.', { id: 'f1' })
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'error',
      code: 'invalid-config',
    })
    await world.settledLog(session.id)
  })

  it('B82: is not ended by a bug in a model adapter, which counts as no lost worker', async () => {
    const model = openaiChat({ model: 'scripted-model', baseUrl: world.model.url })
    let calls = 0
    const buggy = {
      name: 'buggy',
      respond: async (...args: Parameters<typeof model.respond>) => {
        calls += 1
        if (calls <= 2) throw new TypeError('A bug that the test wanted')
        return model.respond(...args)
      },
    }
    world.model.enqueue(say('Well.'))
    await world.startWorker({
      agents: [defineAgent({ name: 'tester', instructions: 'Test.', model: buggy })],
    })
    await session.followup('Go.', { id: 'f1' })
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({ text: 'Well.' })
    const log = await world.settledLog(session.id)
    expect(log.filter(({ type }) => type === 'attempt/lost')).toEqual([])
  })

  it('B80: goes on, on a worker that has cached nothing and knows other tools', async () => {
    world.model.enqueue(
      callTools({ tool: 'probe' }),
      holdAfter(1, hold, callTools({ tool: 'probe', arguments: { n: 2 } })),
      say('Done.'),
    )
    const first = await world.startWorker()
    await session.followup('Go.', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.number === 2 && entry.chunksSent === 1)
    const stopped = first.stop()
    hold.open()
    await stopped
    const added = defineTool({
      name: 'added',
      description: 'Is new.',
      input: { type: 'object' },
      run: () => 'new',
    })
    await world.startWorker({ agents: [otherAgent('tester', [added, probe])] })
    expect(await session.turn('f1').result({ timeoutMs: 30_000 })).toMatchObject({
      reason: 'completed',
      text: 'Done.',
    })
    expect(callsIn(world.model.journal.chats.at(-1)?.body)).toEqual(['probe {}', 'probe {"n":2}'])
    expect(world.model.journal.chats.at(-1)?.body.tools?.map((tool) => tool.function.name)).toEqual([
      'probe',
      'grep_spill',
      'read_spill',
    ])
    await world.settledLog(session.id)
  })

  function otherAgent(name: string, tools = [probe]) {
    const model = openaiChat({ model: 'scripted-model', baseUrl: world.model.url })
    return defineAgent({ name, instructions: 'Test otherwise.', model, tools })
  }

  async function pending() {
    return (await workflow().describe()).raw.pendingActivities?.[0]
  }

  /** When the activity that runs has last been heard of, in milliseconds. */
  async function heartbeat(): Promise<number> {
    return Number((await pending())?.lastHeartbeatTime?.seconds ?? 0) * 1_000
  }
})
