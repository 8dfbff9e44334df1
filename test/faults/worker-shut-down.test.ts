import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/event.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, hangAfter, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'
import { type ProcessTool, WorkerProcess } from '../support/worker-process.ts'

const probe: ProcessTool = { name: 'probe', effect: 'read', result: 'seen', isHeld: false }
const callProbe = callTools({ tool: 'probe' })

describe('a worker process that is shut down with SIGTERM', () => {
  let world: TurnWorld

  beforeEach(async () => {
    world = await TurnWorld.open({})
  })
  afterEach(() => world.close())

  it('B74: while a message streams, leaves the message to another worker, not interrupted', async () => {
    world.model.enqueue(hangAfter(1, say(['It ', 'is.'])), say('It is 42.'))
    const first = await WorkerProcess.start(world)
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    const cut = await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    first.signal('SIGTERM')
    await first.exited()
    await world.model.journal.waitFor((entry) => entry === cut && entry.abortedAt !== undefined)
    await WorkerProcess.start(world)
    expect(await session.turn('f1').result({ timeoutMs: 30_000 })).toMatchObject({
      reason: 'completed',
      text: 'It is 42.',
      steps: 1,
    })
    const log = await world.settledLog(session.id)
    expect(sequenceOf(log)).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'attempt/lost',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(log.filter((event) => event.type === 'assistant/message' && event.interrupted)).toEqual([])
    expect(log).toContainEqual(expect.objectContaining({ type: 'attempt/lost', cause: 'worker-shutdown' }))
  })

  it('while a message streams that is then aborted, has it kept, and counted once', async () => {
    world.model.enqueue(hangAfter(1, say(['It ', 'is.'])))
    const first = await WorkerProcess.start(world)
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    first.signal('SIGTERM')
    await first.exited()
    const aborting = session.abort({ turnId: 'f1', timeoutMs: 30_000 })
    await world.startWorker({ takes: 'workflows' })
    await eventually(async () => {
      const { raw } = await world.temporal.workflow.getHandle(`turnstep:default:${session.id}`).describe()
      return raw.pendingActivities?.[0]?.activityType?.name === 'closeTurn'
    })
    await world.startWorker({ takes: 'activities' })
    expect(await aborting).toMatchObject({ reason: 'aborted' })
    const log = await world.settledLog(session.id)
    const lost = log.find((event) => event.type === 'attempt/lost')
    expect(log).toContainEqual(expect.objectContaining({ text: 'It ', interrupted: true }))
    expect(log.at(-1)).toMatchObject({ type: 'turn/end', usage: lost?.type === 'attempt/lost' && lost.usage })
  })

  it('while a message is about to end, lets it end', async () => {
    const hold = gate()
    world.model.enqueue(holdAfter(1, hold, say(['It ', 'is 42.'])))
    const first = await WorkerProcess.start(world)
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    first.signal('SIGTERM')
    hold.open()
    await first.exited()
    await WorkerProcess.start(world)
    expect(await session.turn('f1').result({ timeoutMs: 30_000 })).toMatchObject({
      text: 'It is 42.',
      steps: 1,
    })
    expect(sequenceOf(await world.settledLog(session.id))).not.toContain('attempt/lost')
    expect(world.model.journal.count).toBe(1)
  })

  it('B86: in a tool that reads, has it run again elsewhere', async () => {
    world.model.enqueue(callProbe, say('It is 42.'))
    const first = await WorkerProcess.start(world, [{ ...probe, isHeld: true }])
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    const start = await first.toolStarted('probe')
    first.signal('SIGTERM')
    await first.exited()
    const second = await WorkerProcess.start(world, [probe])
    expect(await session.turn('f1').result({ timeoutMs: 30_000 })).toMatchObject({ reason: 'completed' })
    expect(second.starts).toEqual([start])
    expect(receipts(await world.settledLog(session.id))).toEqual(['ok seen'])
  })

  it('B86: in a tool with one effect, has its outcome unknown', async () => {
    const send: ProcessTool = { ...probe, effect: 'once' }
    world.model.enqueue(callProbe, say('It is 42.'))
    const first = await WorkerProcess.start(world, [{ ...send, isHeld: true }])
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await first.toolStarted('probe')
    first.signal('SIGTERM')
    await first.exited()
    const second = await WorkerProcess.start(world, [send])
    expect(await session.turn('f1').result({ timeoutMs: 30_000 })).toMatchObject({ reason: 'completed' })
    expect(second.starts).toEqual([])
    expect(receipts(await world.settledLog(session.id))).toEqual([
      expect.stringMatching(/^outcome-unknown Outcome unknown: the call started/),
    ])
  })
})

function receipts(log: readonly Event[]): readonly string[] {
  return log.flatMap((event) => (event.type === 'tool/result' ? [`${event.kind} ${event.content}`] : []))
}
