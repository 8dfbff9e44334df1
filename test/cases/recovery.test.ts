import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EMPTY_HEAD } from '../../src/core/log-head.ts'
import type { SessionStore } from '../../src/core/ports.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { Conversations } from '../support/conversations.ts'
import { TurnWorld } from '../support/turn-world.ts'
import { type ProcessTool, WorkerProcess } from '../support/worker-process.ts'

const send: ProcessTool = { name: 'send', effect: 'once', result: 'sent', isHeld: false }

describe('recovery after a crash', () => {
  const conversations = new Conversations()
  let world: TurnWorld

  beforeEach(async () => {
    world = await TurnWorld.open({ respond: conversations.respond })
  })
  afterEach(() => world.close())

  it('B06: by two workers at once writes one receipt for each call, in every Session', async () => {
    const call = callTools({ tool: 'send', arguments: { n: 1 } }, { tool: 'send', arguments: { n: 2 } })
    const talks = [1, 2, 3].map(() => conversations.open(world, call, say('Verified.')))
    const first = await WorkerProcess.start(world, [{ ...send, isHeld: true }])
    await Promise.all(talks.map((talk) => talk.begin()))
    await first.toolStarted('send', 6)
    await first.kill()
    const workers = await Promise.all([
      WorkerProcess.start(world, [send]),
      WorkerProcess.start(world, [send]),
    ])
    for (const talk of talks) {
      expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Verified.' })
      expect([...(await talk.receipts())].sort()).toEqual([
        'c1_1_0 outcome-unknown',
        'c1_1_1 outcome-unknown',
      ])
    }
    expect(workers.flatMap(({ starts }) => starts)).toEqual([])
    const before = await Promise.all(talks.map((talk) => talk.log()))
    await WorkerProcess.start(world, [send])
    expect(await Promise.all(talks.map((talk) => talk.log()))).toEqual(before)
  })

  it('B06: passes over a Session that it cannot look at', async () => {
    const talk = conversations.open(world, callTools({ tool: 'send' }), say('Verified.'))
    const first = await WorkerProcess.start(world, [{ ...send, isHeld: true }])
    await talk.begin()
    await first.toolStarted('send')
    await first.kill()
    const store = new Proxy(world.store, {
      get: (target, name: keyof SessionStore) => {
        if (name !== 'openTurns') return target[name].bind(target)
        return async () => [
          { key: { tenant: 'default', session: 'x'.repeat(5_000) }, head: EMPTY_HEAD },
          ...(await target.openTurns()),
        ]
      },
    })
    await world.startWorker({ store, recover: true })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Verified.' })
    const { events } = await world.temporal.workflow.getHandle(talk.workflowId).fetchHistory()
    const failures = (events ?? []).map(
      (event) => event.activityTaskStartedEventAttributes?.lastFailure?.message,
    )
    expect(failures).toContain('The worker process is dead')
  })
})
