import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TurnActivities } from '../../src/activities/contracts.ts'
import type { Session } from '../../src/client/index.ts'
import { type Gate, gate } from '../../src/testing/gate.ts'
import {
  callTools,
  holdAfter,
  type ScriptedAnswer,
  say,
  serverError,
} from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { ActivityGates } from '../support/activity-gates.ts'
import { FaultyStore } from '../support/faulty-store.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'

const SEQUENCE = [
  'turn/start',
  'user/message',
  'step/start',
  'assistant/message',
  'tool/call',
  'tool/result',
  'step/end',
  'step/start',
  'assistant/message',
  'step/end',
  'turn/end',
]

describe('a store that is unavailable for a while', () => {
  const gates = new ActivityGates()
  let world: TurnWorld
  let faulty: FaultyStore
  let session: Session
  let toolRuns: number
  let toolStarted: Gate
  let toolEnds: Gate
  let requestsBefore: number

  beforeAll(async () => {
    const send = defineTool({
      name: 'send',
      description: 'Sends.',
      effect: 'once',
      input: { type: 'object' },
      run: async () => {
        toolRuns += 1
        toolStarted.open()
        await toolEnds.opened
        return 'sent'
      },
    })
    world = await TurnWorld.open({ tools: [send], limits: { maxModelAttempts: 2 } })
    faulty = new FaultyStore(world.store)
    await world.startWorker({ store: faulty.store, interceptors: gates.interceptors })
  })
  beforeEach(() => {
    toolRuns = 0
    toolStarted = gate()
    toolEnds = gate()
    session = world.client.session(world.newSessionId())
    requestsBefore = world.model.journal.count
  })
  afterEach(() => {
    faulty.repair()
    gates.releaseAll()
    toolEnds.open()
  })
  afterAll(() => world.close())

  it.each([
    ['before the opening', 'openTurn', 'before', 1],
    ['after the opening', 'openTurn', 'after', 1],
    ['before a model call', 'callModel', 'before', 1],
    ['after a model call', 'callModel', 'after', 1],
    ['before a tool', 'runTool', 'before', 1],
    ['after a tool', 'runTool', 'after', 1],
    ['before the last model call', 'callModel', 'before', 2],
    ['before the closing', 'closeTurn', 'before', 1],
  ] as const)('%s, makes the Turn wait and finish', async (_when, name, at, nth) => {
    toolEnds.open()
    await sendHolding([callTools({ tool: 'send' }), say('Sent it.')], name, at, nth)
    faulty.breakDown()
    gates.releaseAll()
    await faulty.failed(2)
    faulty.repair()
    await expectWholeTurn()
  })

  it('while a message streams, keeps the message that was paid for', async () => {
    const hold = gate()
    toolEnds.open()
    world.model.enqueue(holdAfter(1, hold, callTools({ tool: 'send' })), say('Sent it.'))
    await session.followup('Send it.', { id: 'f1' })
    await world.model.journal.waitFor(({ number, chunksSent }) => number > requestsBefore && chunksSent === 1)
    faulty.breakDown()
    hold.open()
    await faulty.failed(3)
    faulty.repair()
    await expectWholeTurn()
  })

  it('while a tool runs, keeps the result of the tool', async () => {
    world.model.enqueue(callTools({ tool: 'send' }), say('Sent it.'))
    await session.followup('Send it.', { id: 'f1' })
    await toolStarted.opened
    faulty.breakDown()
    toolEnds.open()
    await faulty.failed(3)
    faulty.repair()
    await expectWholeTurn()
  })

  it('for reading alone, is not taken for a lost worker', async () => {
    toolEnds.open()
    await sendHolding([callTools({ tool: 'send' }), say('Sent it.')], 'callModel', 'before')
    faulty.breakDown('store-unavailable', ['read'])
    gates.releaseAll()
    await faulty.failed(2)
    faulty.repair()
    await expectWholeTurn()
  })

  it('after failures of the provider, still counts each of them', async () => {
    await sendHolding([serverError(), serverError()], 'callModel', 'before')
    faulty.breakDown('store-unavailable', ['endAttempt'])
    gates.releaseAll()
    await faulty.failed(2)
    faulty.repair()
    const result = await session.turn('f1').result({ timeoutMs: 30_000 })
    expect(result).toMatchObject({ reason: 'error', code: 'provider-unavailable', steps: 1 })
    expect(sequenceOf(await world.settledLog(session.id))).not.toContain('attempt/lost')
    expect(world.model.journal.count - requestsBefore).toBe(2)
  })

  async function sendHolding(
    script: readonly ScriptedAnswer[],
    name: keyof TurnActivities,
    at: 'before' | 'after',
    nth = 1,
  ): Promise<void> {
    world.model.enqueue(...script)
    const holds = Array.from({ length: nth }, () => gates.hold(name, at))
    await session.followup('Send it.', { id: 'f1' })
    for (const hold of holds) {
      await hold.reached
      if (hold !== holds.at(-1)) hold.release()
    }
  }

  async function expectWholeTurn(): Promise<void> {
    const result = await session.turn('f1').result({ timeoutMs: 30_000 })
    expect(result).toMatchObject({ reason: 'completed', text: 'Sent it.', steps: 2 })
    expect(sequenceOf(await world.settledLog(session.id))).toEqual(SEQUENCE)
    expect(world.model.journal.count - requestsBefore).toBe(2)
    expect(toolRuns).toBe(1)
  }
})
