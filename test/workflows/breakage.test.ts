import { afterEach, describe, expect, it } from 'vitest'
import { workflowIdOf } from '../../src/core/ids.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld, type WorldOptions } from '../support/turn-world.ts'

describe('a Session under odd use', () => {
  let world: TurnWorld

  async function open(options: WorldOptions): Promise<TurnWorld> {
    world = await TurnWorld.open(options)
    await world.startWorker()
    return world
  }
  afterEach(() => world.close())

  it('is handed back, not completed, when the time runs out in a Step after a final text', async () => {
    const first = gate()
    const { client, model } = await open({
      limits: { maxDurationMs: 3_000 },
      respond: (_request, { number }) =>
        number === 1
          ? { text: ['All ', 'done.'], interruptions: [{ kind: 'hold', afterChunks: 1, until: first }] }
          : { text: ['partial ', 'text'], interruptions: [{ kind: 'hang', afterChunks: 1 }] },
    })
    const session = client.session(world.newSessionId())
    await session.followup('go', { id: 'f1' })
    await model.journal.waitFor((entry) => entry.chunksSent > 0)
    await session.steer('do more', { id: 's1' })
    first.open()
    expect(await session.turn('s1').result({ timeoutMs: 30_000 })).toMatchObject({
      turnId: 'f1',
      reason: 'max-duration',
    })
    await world.settledLog(session.id)
  })

  it('stops nothing when an interrupting or rejecting input is sent again', async () => {
    const { client, model } = await open({
      respond: (_request, { number }) => (number === 2 ? { kind: 'hang' } : say('ok')),
    })
    const session = client.session(world.newSessionId())
    await session.followup('first', { id: 'i1', whenBusy: 'interrupt' })
    await session.turn('i1').result({ timeoutMs: 20_000 })
    await session.whenIdle({ timeoutMs: 20_000 })
    await session.followup('second', { id: 'r1', whenBusy: 'reject' })
    await model.journal.waitFor((entry) => entry.number === 2)
    await session.followup('first', { id: 'i1', whenBusy: 'interrupt' })
    await session.followup('second', { id: 'r1', whenBusy: 'reject' })
    expect((await session.status()).turnId).toBe('r1')
    expect(await session.abort()).toMatchObject({ turnId: 'r1', reason: 'aborted' })
  })

  it('runs a once tool once, also when its result cannot be turned into text', async () => {
    let runs = 0
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      run: async () => {
        runs += 1
        return { id: 10n }
      },
    })
    const { client } = await open({
      tools: [pay],
      respond: (_request, { number }) => (number < 3 ? callTools({ tool: 'pay' }) : say('done')),
    })
    const session = client.session(world.newSessionId())
    const { inputId } = await session.followup('pay')
    await session.turn(inputId).result({ timeoutMs: 20_000 })
    expect(runs).toBe(1)
    const log = await world.settledLog(session.id)
    const kinds = log.flatMap((event) => (event.type === 'tool/result' ? [event.kind] : []))
    expect(kinds).toEqual(['outcome-unknown', 'repeated'])
  })

  it('keeps an input that a signal calls withdrawn although the log does not', async () => {
    const { client, model, temporal } = await open({
      respond: (_request, { number }) => (number === 1 ? { kind: 'hang' } : say('ok')),
    })
    const session = client.session(world.newSessionId())
    await session.followup('first', { id: 'f1' })
    await model.journal.waitFor(() => true)
    await session.followup('precious', { id: 'f2' })
    const handle = temporal.workflow.getHandle(workflowIdOf({ tenant: 'default', session: session.id }))
    await handle.signal('wake', { v: 1, kind: 'withdrawn', id: 'f2' })
    await session.abort({ queue: 'run' })
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({
      fate: 'claimed',
      reason: 'completed',
    })
  })

  it('answers the input of an interrupt that finds nothing to stop', async () => {
    const { client, temporal, taskQueue } = await open({ script: [say('hello')] })
    const session = client.session(world.newSessionId())
    await temporal.workflow.signalWithStart('turnWorkflow', {
      workflowId: workflowIdOf({ tenant: 'default', session: session.id }),
      taskQueue,
      signal: 'interrupt',
      signalArgs: [{ v: 1, stop: {}, input: { v: 1, id: 'i1', content: 'hello' } }],
    })
    expect(await session.turn('i1').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'completed',
      text: 'hello',
    })
  })

  it('fails a workflow whose id is not that of a Session, with its inputs in the details', async () => {
    const { temporal, taskQueue } = await open({})
    const handle = await temporal.workflow.start('turnWorkflow', {
      workflowId: `foo-${crypto.randomUUID()}`,
      taskQueue,
      args: [{ v: 1, input: { v: 1, id: 'a', content: 'x' } }],
    })
    await eventually(async () => (await handle.describe()).status.name === 'FAILED')
  })
})
