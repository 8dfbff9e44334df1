import type { WorkflowHandle } from '@temporalio/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/client/index.ts'
import { say } from '../../src/testing/scripted-answer.ts'
import { ActivityGates, type HeldActivity } from '../support/activity-gates.ts'
import { eventually } from '../support/eventually.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'

/** Numbers of event types of Temporal's API. */
const SIGNALED = 26
const CANCEL_REQUESTED = 20

describe('a cancellation that comes when nothing is there to be stopped', () => {
  const gates = new ActivityGates()
  let world: TurnWorld
  let session: Session

  beforeEach(async () => {
    world = await TurnWorld.open({ respond: () => say('Hello.') })
    await world.startWorker({ interceptors: gates.interceptors })
    session = world.client.session(world.newSessionId())
  })
  afterEach(async () => {
    gates.releaseAll()
    await world.close()
  })

  it('leaves alone what comes after an input that was refused', async () => {
    const { handle, held } = await open({ id: 'broken' })
    await cancelThenSend(handle, 'f1')
    held.release()
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({ reason: 'completed' })
    await session.whenIdle({ timeoutMs: 10_000 })
    expect(sequenceOf(await world.settledLog(session.id))).toEqual([
      'input/refused',
      'turn/start',
      'user/message',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
  })

  it('leaves alone what comes after an input that was sent before', async () => {
    await session.followup('Hello?', { id: 'f1' })
    await session.whenIdle({ timeoutMs: 20_000 })
    const { handle, held } = await open({ id: 'f1', content: 'Hello?' })
    await cancelThenSend(handle, 'f2')
    held.release()
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'completed',
      turn: 2,
    })
    await session.whenIdle({ timeoutMs: 10_000 })
    await world.settledLog(session.id)
  })

  /** Opens a workflow with this payload, and holds its opening. */
  async function open(
    payload: unknown,
  ): Promise<{ readonly handle: WorkflowHandle; readonly held: HeldActivity }> {
    const held = gates.hold('openTurn', 'before')
    const handle = await world.temporal.workflow.signalWithStart('turnWorkflow', {
      workflowId: `turnstep:default:${session.id}`,
      taskQueue: world.taskQueue,
      signal: 'followup',
      signalArgs: [payload],
    })
    await held.reached
    return { handle, held }
  }

  async function cancelThenSend(handle: WorkflowHandle, id: string): Promise<void> {
    await handle.cancel()
    await eventually(async () => (await answeredTasks(handle, CANCEL_REQUESTED)) > 0)
    await session.followup('And now?', { id })
    await eventually(async () => (await answeredTasks(handle, SIGNALED)) > 0)
  }

  /** Workflow tasks completed since the last event of a type. */
  async function answeredTasks(handle: WorkflowHandle, eventType: number): Promise<number> {
    const types = ((await handle.fetchHistory()).events ?? []).map((event) => Number(event.eventType))
    return types.slice(types.lastIndexOf(eventType)).filter((type) => type === 7).length
  }
})
