import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event, EventOf } from '../../src/core/event.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'
import { type ProcessTool, WorkerProcess } from '../support/worker-process.ts'

const STANDARD_EXAMPLE = [
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
]

const calculator: ProcessTool = { name: 'calculator', effect: 'read', result: '42', isHeld: false }
const lookup: ProcessTool = { name: 'lookup', effect: 'read', result: 'found', isHeld: false }
const callCalculator = callTools({ tool: 'calculator', arguments: { expression: '6*7' } })
const callLookup = callTools({ tool: 'lookup', arguments: { word: 'answer' } })

describe('a worker process killed with SIGKILL', () => {
  let world: TurnWorld

  beforeEach(async () => {
    world = await TurnWorld.open({})
  })
  afterEach(() => world.close())

  async function finish(sessionId: string): Promise<readonly Event[]> {
    const result = await world.client.session(sessionId).turn('f1').result({ timeoutMs: 40_000 })
    expect(result).toMatchObject({ fate: 'claimed', reason: 'completed', text: 'It is 42.', steps: 3 })
    return world.settledLog(sessionId)
  }

  it('in the middle of a model call, leaves the documented sequence and one attempt lost', async () => {
    const hold = gate()
    world.model.enqueue(
      callCalculator,
      holdAfter(1, hold, say(['Let me ', 'look that up.'])),
      callLookup,
      say('It is 42.'),
    )
    const first = await WorkerProcess.start(world, [calculator, lookup])
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.number === 2 && entry.chunksSent === 1)
    await first.kill()
    await WorkerProcess.start(world, [calculator, lookup])
    const log = await finish(session.id)
    expect(sequenceOf(log).filter((type) => type !== 'attempt/lost')).toEqual(STANDARD_EXAMPLE)
    expect(lostAttempts(log)).toEqual([{ step: 2, attempt: 1, cause: 'worker-lost' }])
    expect(world.model.journal.count).toBe(4)
  })

  it('in the middle of a model call that spends the budget, has no other made', async () => {
    const limits = { maxTokens: 1 }
    world.model.enqueue(holdAfter(1, gate(), say(['Let me ', 'look that up.'])), say('Never asked for.'))
    const first = await WorkerProcess.start(world, [], { limits })
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.number === 1 && entry.chunksSent === 1)
    await first.kill()
    await WorkerProcess.start(world, [], { limits })
    expect(await session.turn('f1').result({ timeoutMs: 40_000 })).toMatchObject({
      reason: 'token-budget',
      steps: 1,
      usage: { estimated: true },
    })
    const log = await world.settledLog(session.id)
    expect(lostAttempts(log)).toEqual([{ step: 1, attempt: 1, cause: 'worker-lost' }])
    expect(world.model.journal.count).toBe(1)
  })

  it('in the middle of a tool that reads, has the tool run again under the same request id', async () => {
    world.model.enqueue(callCalculator, callLookup, say('It is 42.'))
    const first = await WorkerProcess.start(world, [calculator, { ...lookup, isHeld: true }])
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    const lost = await first.toolStarted('lookup')
    await first.kill()
    const second = await WorkerProcess.start(world, [calculator, lookup])
    const log = await finish(session.id)
    expect(sequenceOf(log)).toEqual(STANDARD_EXAMPLE)
    expect(second.starts).toEqual([lost])
    expect(receipts(log)).toEqual(['ok 42', 'ok found'])
    expect(world.model.journal.count).toBe(3)
  })

  it('B64: in the middle of an idempotent tool, has the tool run again under the same request id', async () => {
    const save: ProcessTool = { name: 'lookup', effect: 'idempotent', result: 'saved', isHeld: false }
    world.model.enqueue(callCalculator, callLookup, say('It is 42.'))
    const first = await WorkerProcess.start(world, [calculator, { ...save, isHeld: true }])
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    const lost = await first.toolStarted('lookup')
    await first.kill()
    const second = await WorkerProcess.start(world, [calculator, save])
    expect(sequenceOf(await finish(session.id))).toEqual(STANDARD_EXAMPLE)
    expect(second.starts).toEqual([lost])
  })

  it('B64: in the middle of a tool with one effect, has its outcome unknown and never starts it twice', async () => {
    const send: ProcessTool = { name: 'lookup', effect: 'once', result: 'sent', isHeld: false }
    world.model.enqueue(callCalculator, callLookup, say('It is 42.'))
    const first = await WorkerProcess.start(world, [calculator, { ...send, isHeld: true }])
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await first.toolStarted('lookup')
    await first.kill()
    const second = await WorkerProcess.start(world, [calculator, send])
    const log = await finish(session.id)
    expect(sequenceOf(log)).toEqual(STANDARD_EXAMPLE)
    expect(second.starts).toEqual([])
    expect(receipts(log)).toEqual([
      'ok 42',
      'outcome-unknown Outcome unknown: the call started, but its result was lost. It may or may not have taken effect. Verify before you try again.',
    ])
  })

  it.each(['openTurn', 'callModel', 'runTool', 'closeTurn'] as const)(
    'after the work of %s was committed and before it was answered, has nothing done twice',
    async (activity) => {
      const send: ProcessTool = { name: 'lookup', effect: 'once', result: 'sent', isHeld: false }
      world.model.enqueue(callCalculator, callLookup, say('It is 42.'))
      const first = await WorkerProcess.start(world, [calculator, send], { silentActivity: activity })
      const session = world.client.session(world.newSessionId())
      await session.followup('What is 6*7?', { id: 'f1' })
      await first.fallenSilent()
      await first.kill()
      const second = await WorkerProcess.start(world, [calculator, send])
      const log = await finish(session.id)
      expect(sequenceOf(log)).toEqual(STANDARD_EXAMPLE)
      expect(receipts(log)).toEqual(['ok 42', 'ok sent'])
      expect([...first.starts, ...second.starts].map(({ tool }) => tool)).toEqual(['calculator', 'lookup'])
      expect(world.model.journal.count).toBe(3)
    },
  )

  it('while one of two tools is done, has only the other run again', async () => {
    world.model.enqueue(
      callTools({ tool: 'calculator', arguments: {} }, { tool: 'lookup', arguments: {} }),
      callLookup,
      say('It is 42.'),
    )
    const first = await WorkerProcess.start(world, [calculator, { ...lookup, isHeld: true }])
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await first.toolStarted('lookup')
    for await (const event of session.events({ follow: true })) if (event.type === 'tool/result') break
    await first.kill()
    const second = await WorkerProcess.start(world, [calculator, lookup])
    const log = await finish(session.id)
    expect(second.starts.map(({ tool, callId }) => `${tool} ${callId}`)).toEqual([
      'lookup c1_1_1',
      'lookup c1_2_0',
    ])
    expect(receipts(log)).toEqual(['ok 42', 'ok found', 'ok found'])
  })

  it('twice at the same model call, loses two attempts and goes on', async () => {
    world.model.enqueue(
      holdAfter(1, gate(), say(['It ', 'is.'])),
      holdAfter(1, gate(), say(['It ', 'is.'])),
      callCalculator,
      callLookup,
      say('It is 42.'),
    )
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    for (const number of [1, 2]) {
      const worker = await WorkerProcess.start(world, [calculator, lookup])
      await world.model.journal.waitFor((entry) => entry.number === number && entry.chunksSent === 1)
      await worker.kill()
    }
    await WorkerProcess.start(world, [calculator, lookup])
    const log = await finish(session.id)
    expect(lostAttempts(log)).toEqual([
      { step: 1, attempt: 1, cause: 'worker-lost' },
      { step: 1, attempt: 2, cause: 'worker-lost' },
    ])
    expect(world.model.journal.count).toBe(5)
  })
})

function lostAttempts(log: readonly Event[]) {
  return log
    .filter((event): event is EventOf<'attempt/lost'> => event.type === 'attempt/lost')
    .map(({ step, attempt, cause }) => ({ step, attempt, cause }))
}

function receipts(log: readonly Event[]): readonly string[] {
  return log.flatMap((event) => (event.type === 'tool/result' ? [`${event.kind} ${event.content}`] : []))
}
