import { afterEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/event.ts'
import { inputKey, turnKey, workflowIdOf } from '../../src/core/ids.ts'
import { EMPTY_GUARD } from '../../src/core/loop-guard.ts'
import { NO_COUNTERS, type TurnOpening } from '../../src/core/wire.ts'
import { hang, say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

const END = {
  reason: 'max-duration',
  steps: 1,
  handBack: { blockedBy: 'The time limit of this turn is used up.' },
}

describe('the time limit of a Turn', () => {
  let world: TurnWorld
  afterEach(() => world.close())

  it('runs out also while no worker is there, and ends the Turn when one comes back', async () => {
    world = await TurnWorld.open({ limits: { maxDurationMs: 4_000 }, respond: () => hang() })
    const first = await world.startWorker()
    const session = world.client.session(world.newSessionId())
    await session.followup('Go.', { id: 'f1' })
    await world.model.journal.waitFor(() => true)
    await first.stop()
    const handle = world.temporal.workflow.getHandle(workflowIdOf({ tenant: 'default', session: session.id }))
    await eventually(async () => {
      const { events } = await handle.fetchHistory()
      return (events ?? []).some((event) => Boolean(event.timerFiredEventAttributes))
    })
    await world.startWorker()
    expect(await session.turn('f1').result({ timeoutMs: 30_000 })).toMatchObject(END)
    await session.whenIdle({ timeoutMs: 20_000 })
    await world.settledLog(session.id)
  })

  it('is what was left of it in a run that goes on with the Turn', async () => {
    world = await TurnWorld.open({ script: [say('One.'), hang()] })
    await world.startWorker()
    const session = world.client.session(world.newSessionId())
    await session.followup('Go.', { id: 'f1' })
    await session.turn('f1').result({ timeoutMs: 30_000 })
    await session.whenIdle({ timeoutMs: 20_000 })
    const opening = await openedBefore(await world.log(session.id), session.id)
    await world.temporal.workflow.start('turnWorkflow', {
      workflowId: workflowIdOf({ tenant: 'default', session: session.id }),
      taskQueue: world.taskQueue,
      args: [opening],
    })
    expect(await session.turn('f2').result({ timeoutMs: 30_000 })).toMatchObject({ ...END, turn: 2 })
    await session.whenIdle({ timeoutMs: 20_000 })
    await world.settledLog(session.id)
  })

  /** Leaves a log as the run before would have, and returns what that run would have handed on. */
  async function openedBefore(log: readonly Event[], sessionId: string): Promise<TurnOpening> {
    const before = log.find((event) => event.type === 'turn/start')
    if (before?.type !== 'turn/start') throw new Error('The first Turn has no start')
    const { agent, agentDigest, runId, firstExecutionRunId } = before
    const place = { turnId: 'f2', turn: 2 }
    await world.store.commit(
      { tenant: 'default', session: sessionId },
      {
        keys: [],
        decide: () => ({
          append: [
            {
              ...place,
              type: 'turn/start',
              key: turnKey('f2', 'start'),
              inputs: ['f2'],
              agent,
              agentDigest,
              runId,
              firstExecutionRunId,
            },
            {
              ...place,
              type: 'user/message',
              key: inputKey('f2'),
              inputId: 'f2',
              content: 'On.',
              via: 'followup',
              origin: 'user',
            },
          ],
          answer: undefined,
        }),
      },
    )
    const limits = { maxSteps: 15, maxDurationMs: 300_000, abortGraceMs: 1_000 }
    return {
      v: 1,
      turn: {
        ...place,
        plan: { agent, agentDigest, ...limits, tools: {} },
        step: 0,
        guard: EMPTY_GUARD,
        counters: NO_COUNTERS,
        remainingMs: 1_500,
        claimed: ['f2'],
        seq: log.length + 2,
      },
    }
  }
})
