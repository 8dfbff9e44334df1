import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { say } from '../../src/testing/scripted-answer.ts'
import { ActivityGates } from '../support/activity-gates.ts'
import { FaultyStore } from '../support/faulty-store.ts'
import { TurnWorld } from '../support/turn-world.ts'

describe('a store that is corrupt', () => {
  const gates = new ActivityGates()
  let world: TurnWorld
  let faulty: FaultyStore

  beforeEach(async () => {
    world = await TurnWorld.open({ script: [say('Hello.')] })
    faulty = new FaultyStore(world.store)
    await world.startWorker({ store: faulty.store, interceptors: gates.interceptors })
  })
  afterEach(async () => {
    gates.releaseAll()
    await world.close()
  })

  it.each([
    ['at the opening', 'openTurn', ['f1', 's1']],
    ['at a model call', 'callModel', ['s1', 'f2']],
    ['at the closing', 'closeTurn', ['s1', 'f2']],
  ] as const)('%s, fails the workflow with the inputs that have no fate', async (_when, name, unsettled) => {
    const session = world.client.session(world.newSessionId())
    const held = gates.hold(name, 'before')
    await session.followup('Hello?', { id: 'f1' })
    await held.reached
    await session.steer('And?', { id: 's1' })
    if (name !== 'openTurn') await session.followup('Then?', { id: 'f2' })
    faulty.breakDown('store-corrupt')
    held.release()
    const failure = await failureOf(session.id)
    expect(failure).toMatchObject({ type: 'store-corrupt', nonRetryable: true })
    expect(failure.details).toMatchObject([{ inputs: unsettled.map((id) => ({ id })) }])
  })

  it('for a while, lets the next followup close the Turn and go on', async () => {
    const session = world.client.session(world.newSessionId())
    const held = gates.hold('closeTurn', 'before')
    await session.followup('Hello?', { id: 'f1' })
    await held.reached
    faulty.breakDown('store-corrupt')
    held.release()
    await failureOf(session.id)
    faulty.repair()
    world.model.enqueue(say('Hello again.'))
    await session.followup('Hello?', { id: 'f2' })
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({ text: 'Hello again.' })
    expect(await session.turn('f1').result()).toMatchObject({ reason: 'error', code: 'terminated' })
    await world.settledLog(session.id)
  })

  async function failureOf(sessionId: string): Promise<ApplicationFailure> {
    const handle = world.temporal.workflow.getHandle(`turnstep:default:${sessionId}`)
    const error: unknown = await handle.result().catch((thrown: unknown) => thrown)
    if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error
    return error.cause
  }
})
