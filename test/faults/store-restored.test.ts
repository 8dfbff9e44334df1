import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TurnActivities } from '../../src/activities/contracts.ts'
import type { Session } from '../../src/client/index.ts'
import type { SessionStore } from '../../src/core/ports.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { ActivityGates, type HeldActivity } from '../support/activity-gates.ts'
import { TurnWorld } from '../support/turn-world.ts'

describe('a store that is restored from an older backup', () => {
  const gates = new ActivityGates()
  let world: TurnWorld
  let session: Session
  let current: SessionStore
  let backup: SessionStore

  beforeEach(async () => {
    const probe = defineTool({
      name: 'probe',
      description: 'Looks.',
      input: { type: 'object' },
      run: () => 'seen',
    })
    world = await TurnWorld.open({ tools: [probe] })
    session = world.client.session(world.newSessionId())
    current = world.store
    backup = await openSqliteStore({ path: `${world.folder}/backup.db` })
    const store = new Proxy(world.store, {
      get: (_, name: keyof SessionStore) => current[name].bind(current),
    })
    await world.startWorker({ store, interceptors: gates.interceptors })
  })
  afterEach(async () => {
    gates.releaseAll()
    await backup.close()
    await world.close()
  })

  it.each([
    ['the Turn', 'callModel', 0, 1],
    ['the Step', 'callModel', 2, 2],
    ['the message', 'runTool', 3, 1],
    ['the receipt', 'callModel', 5, 2],
    ['the last Step', 'closeTurn', 7, 1],
  ] as const)('which lacks %s, ends it as log-behind', async (_what, name, kept, nth) => {
    world.model.enqueue(callTools({ tool: 'probe' }), say('Done.'))
    await session.followup('Go.', { id: 'f1' })
    const held = await holdNth(name, nth)
    await restore(kept)
    held.release()
    const handle = world.temporal.workflow.getHandle(`turnstep:default:${session.id}`)
    expect(await handle.result()).toMatchObject({
      kind: 'ended',
      turnId: 'f1',
      reason: 'error',
      code: 'log-behind',
    })
  })

  it('still withdraws the inputs that an abort was to withdraw', async () => {
    world.model.enqueue(callTools({ tool: 'probe' }))
    await session.followup('Go.', { id: 'f1' })
    const held = await holdNth('runTool', 1)
    await session.followup('And then?', { id: 'f2' })
    await restore(0)
    const handle = world.temporal.workflow.getHandle(`turnstep:default:${session.id}`)
    await handle.signal('stop', { v: 1, turnId: 'f1' })
    held.release()
    await handle.result()
    expect(await backup.find({ tenant: 'default', session: session.id }, 'input:f2')).toMatchObject({
      type: 'input/withdrawn',
      content: 'And then?',
    })
  })

  async function holdNth(name: keyof TurnActivities, nth: number): Promise<HeldActivity> {
    for (let passed = 1; passed < nth; passed += 1) {
      const hold = gates.hold(name, 'before')
      await hold.reached
      hold.release()
    }
    const held = gates.hold(name, 'before')
    await held.reached
    return held
  }

  /** From now on the store is one that has only the first events. */
  async function restore(kept: number): Promise<void> {
    const key = { tenant: 'default', session: session.id }
    const events = await world.store.read(key, { limit: kept })
    await backup.commit(key, { keys: [], decide: () => ({ append: events, answer: undefined }) })
    current = backup
  }
})
