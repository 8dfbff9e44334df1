import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/event.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'
import { type ProcessTool, WorkerProcess } from '../support/worker-process.ts'

const probe: ProcessTool = { name: 'probe', effect: 'read', result: 'seen', isHeld: false }
const callProbe = callTools({ tool: 'probe' })

describe('a worker process that is paused with SIGSTOP', () => {
  let world: TurnWorld

  beforeEach(async () => {
    world = await TurnWorld.open({})
  })
  afterEach(() => world.close())

  it('in a model call, and wakes up after the Turn has closed, writes nothing', async () => {
    const hold = gate()
    world.model.enqueue(holdAfter(1, hold, say(['It ', 'is 41.'])), say('It is 42.'), say('Still here.'))
    const sleeper = await WorkerProcess.start(world, [], { shutdownGraceMs: 60_000 })
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    const asleep = await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    await sleeper.drain()
    sleeper.signal('SIGSTOP')
    await WorkerProcess.start(world)
    expect(await session.turn('f1').result({ timeoutMs: 40_000 })).toMatchObject({ text: 'It is 42.' })
    await session.whenIdle({ timeoutMs: 10_000 })
    const before = await world.settledLog(session.id)
    sleeper.signal('SIGCONT')
    hold.open()
    await world.model.journal.waitFor((entry) => entry === asleep && isOver(entry))
    await sleeper.exited()
    expect(await world.log(session.id)).toEqual(before)
    await session.followup('Are you there?', { id: 'f2' })
    expect(await session.turn('f2').result({ timeoutMs: 30_000 })).toMatchObject({ text: 'Still here.' })
    expect(await liveText(session.id)).toEqual([])
  })

  it('in a model call, and wakes up after the Turn was aborted, writes nothing', async () => {
    const hold = gate()
    world.model.enqueue(holdAfter(1, hold, say(['It ', 'is 41.'])))
    const sleeper = await WorkerProcess.start(world, [], { shutdownGraceMs: 60_000 })
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    const asleep = await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    await eventually(async () => (await liveText(session.id)).length > 0)
    await sleeper.drain()
    await WorkerProcess.start(world)
    sleeper.signal('SIGSTOP')
    expect(await session.abort({ turnId: 'f1', timeoutMs: 30_000 })).toMatchObject({ reason: 'aborted' })
    await session.whenIdle({ timeoutMs: 10_000 })
    const before = await world.settledLog(session.id)
    hold.open()
    sleeper.signal('SIGCONT')
    await world.model.journal.waitFor((entry) => entry === asleep && isOver(entry))
    await sleeper.exited()
    expect(await world.log(session.id)).toEqual(before)
    expect(before).toContainEqual(expect.objectContaining({ text: 'It ', interrupted: true }))
  })

  it('in a tool, and wakes up after the Turn has closed, writes nothing', async () => {
    world.model.enqueue(callProbe, say('It is 42.'))
    const sleeper = await WorkerProcess.start(world, [{ ...probe, result: 'too late', isHeld: true }], {
      shutdownGraceMs: 60_000,
    })
    const session = world.client.session(world.newSessionId())
    await session.followup('What is 6*7?', { id: 'f1' })
    await sleeper.toolStarted('probe')
    await sleeper.drain()
    sleeper.signal('SIGSTOP')
    await WorkerProcess.start(world, [probe])
    expect(await session.turn('f1').result({ timeoutMs: 40_000 })).toMatchObject({ text: 'It is 42.' })
    await session.whenIdle({ timeoutMs: 10_000 })
    const before = await world.settledLog(session.id)
    sleeper.release('probe')
    sleeper.signal('SIGCONT')
    await sleeper.exited()
    expect(await world.log(session.id)).toEqual(before)
    expect(receipts(before)).toEqual(['ok seen'])
  })

  async function liveText(sessionId: string): Promise<readonly unknown[]> {
    return world.store.readLive({ tenant: 'default', session: sessionId })
  }
})

function isOver(entry: { readonly endedAt?: number; readonly abortedAt?: number }): boolean {
  return entry.endedAt !== undefined || entry.abortedAt !== undefined
}

function receipts(log: readonly Event[]): readonly string[] {
  return log.flatMap((event) => (event.type === 'tool/result' ? [`${event.kind} ${event.content}`] : []))
}
