import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { workflowIdOf } from '../../src/core/ids.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { resetWorkflow } from '../support/reset-workflow.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'

const callCalculator = callTools({ tool: 'calculator', arguments: { expression: '6*7' } })
const callLookup = callTools({ tool: 'lookup', arguments: { word: 'answer' } })

describe('a reset of the workflow', () => {
  let world: TurnWorld
  let lookups = gate()
  const started: string[] = []

  beforeEach(async () => {
    lookups = gate()
    started.length = 0
    const input = { type: 'object' }
    world = await TurnWorld.open({
      tools: [
        defineTool({
          name: 'calculator',
          description: 'Computes.',
          effect: 'once',
          input,
          run: () => {
            started.push('calculator')
            return 42
          },
        }),
        defineTool({
          name: 'lookup',
          description: 'Looks a word up.',
          effect: 'read',
          input,
          run: async () => {
            started.push('lookup')
            await lookups.opened
            return 'found'
          },
        }),
      ],
    })
    await world.startWorker()
  })
  afterEach(() => world.close())

  it('to its first task, in the middle of a tool, re-reads the log and goes on', async () => {
    world.model.enqueue(callCalculator, callLookup, say('It is 42.'))
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    for await (const event of session.events({ follow: true }))
      if (event.type === 'tool/call' && event.tool === 'lookup') break
    await resetWorkflow(world, session.id, 'first')
    lookups.open()
    const result = await session.turn('f1').result({ timeoutMs: 30_000 })
    expect(result).toMatchObject({ reason: 'completed', text: 'It is 42.', steps: 3 })
    expect(
      sequenceOf(await world.settledLog(session.id)).filter((type) => type !== 'turn/continued'),
    ).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'assistant/message',
      'tool/call',
      'tool/result',
      'step/end',
      'step/start',
      'assistant/message',
      'tool/call',
      'tool/result',
      'step/end',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(started.filter((tool) => tool === 'calculator')).toEqual(['calculator'])
    expect(world.model.journal.count).toBe(3)
  })

  it('while a message streams and a steer waits, loses neither', async () => {
    const hold = gate()
    world.model.enqueue(
      callCalculator,
      holdAfter(1, hold, say(['It ', 'is 42.'])),
      say(['It is 42, ', 'and then 43.']),
    )
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.number === 2 && entry.chunksSent === 1)
    await session.steer('And one more?', { id: 's1' })
    await resetWorkflow(world, session.id, 'first')
    const result = await session.turn('s1').result({ timeoutMs: 30_000 })
    expect(result).toMatchObject({
      turnId: 'f1',
      reason: 'completed',
      text: 'It is 42, and then 43.',
      steps: 2,
    })
    const log = await world.settledLog(session.id)
    expect(log.filter((event) => event.key === 'input:s1').map(({ type }) => type)).toEqual(['user/message'])
    expect(log.filter((event) => event.type === 'assistant/message' && event.interrupted)).toEqual([])
    expect(started).toEqual(['calculator'])
    const last = world.model.journal.chats.at(-1)?.body.messages ?? []
    expect(last.filter(({ role }) => role === 'user').map(chatText)).toEqual([
      'What is 6*7?',
      'And one more?',
    ])
    hold.open()
  })

  it('lets an abort find the new run', async () => {
    world.model.enqueue(callCalculator, callLookup)
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    for await (const event of session.events({ follow: true }))
      if (event.type === 'tool/call' && event.tool === 'lookup') break
    await resetWorkflow(world, session.id, 'first')
    const aborted = await session.abort({ turnId: 'f1', timeoutMs: 30_000 })
    expect(aborted).toEqual({ turnId: 'f1', reason: 'aborted', inputs: [{ id: 'f1', fate: 'claimed' }] })
    await world.settledLog(session.id)
    lookups.open()
  })

  it.each(['first', 'last'] as const)('of a closed Turn to its %s task changes nothing', async (task) => {
    lookups.open()
    world.model.enqueue(callCalculator, callLookup, say('It is 42.'))
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await session.turn('f1').result({ timeoutMs: 30_000 })
    await session.whenIdle({ timeoutMs: 10_000 })
    const before = await world.settledLog(session.id)
    const runId = await resetWorkflow(world, session.id, task)
    const workflowId = workflowIdOf({ tenant: 'default', session: session.id })
    await world.temporal.workflow.getHandle(workflowId, runId).result()
    expect(await world.log(session.id)).toEqual(before)
    expect(started).toEqual(['calculator', 'lookup'])
    expect(world.model.journal.count).toBe(3)
  })
})
