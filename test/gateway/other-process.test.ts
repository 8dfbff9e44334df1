import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Turnstep } from '../../src/client/index.ts'
import type { SessionStore } from '../../src/core/ports.ts'
import { authenticateLocally } from '../../src/gateway/auth/local.ts'
import { createGateway } from '../../src/gateway/create-gateway.ts'
import { type ServedGateway, serveGateway } from '../../src/gateway/serve-gateway.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { Conversations } from '../support/conversations.ts'
import { TurnWorld } from '../support/turn-world.ts'
import { WorkerProcess } from '../support/worker-process.ts'
import { StreamReader } from './support/read-stream.ts'

/** A store that counts how often its log and live text are read. */
function counting(store: SessionStore): { readonly store: SessionStore; readonly reads: { count: number } } {
  const reads = { count: 0 }
  const read = new Set<string | symbol>(['head', 'read', 'readLive', 'find'])
  const counted = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]): unknown => {
        if (read.has(name)) reads.count += 1
        return Reflect.apply(value, target, args)
      }
    },
  })
  return { store: counted, reads }
}

describe('a gateway whose worker is another process, with a store handle of its own', () => {
  const conversations = new Conversations()
  let world: TurnWorld
  let store: SessionStore
  let reads: { count: number }
  let served: ServedGateway

  beforeEach(async () => {
    world = await TurnWorld.open({ respond: conversations.respond })
    const counted = counting(await openSqliteStore({ path: world.dbPath }))
    store = counted.store
    reads = counted.reads
    const { temporal, taskQueue } = world
    const client = new Turnstep({ temporal, store, taskQueue })
    const gateway = createGateway({
      turnstep: (tenant) => client.forTenant(tenant),
      authenticate: authenticateLocally({ token: 'a token', corsOrigins: [] }),
      version: '1.2.3',
    })
    served = await serveGateway(gateway, { host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    await served.close()
    await store.close()
    await world.close()
  })

  const readers = async (count: number, session: string): Promise<readonly StreamReader[]> => {
    await world.client.createSession(session)
    const url = `${served.url}/v1/sessions/${session}/events?live=1`
    const opened = await Promise.all(Array.from({ length: count }, () => StreamReader.open(url)))
    onTestFinished(() => {
      for (const reader of opened) reader.close()
    })
    return Promise.all(opened.map((reader) => reader.until((one) => one.has('status'))))
  }

  it('has its events and its text as they come', async () => {
    await WorkerProcess.start(world)
    const held = gate()
    const talk = conversations.open(world, holdAfter(1, held, say(['One ', 'two.'])))
    const [reader] = await readers(1, talk.session.id)
    await talk.begin()
    await reader?.until((one) => one.has('delta'))
    held.open()
    await reader?.until((one) => one.has('turn/end'))
    expect(reader?.ids()).toEqual([1, 2, 3, 4, 5, 6])
    expect(reader?.frames.find(({ event }) => event === 'delta')?.data).toMatchObject({
      index: 0,
      text: 'One ',
    })
  })

  it('reads the store for two hundred readers as often as for one', async () => {
    await WorkerProcess.start(world)
    const readsOfTurn = async (count: number): Promise<number> => {
      const held = gate()
      const talk = conversations.open(world, holdAfter(1, held, say(['One ', 'two.'])))
      const all = await readers(count, talk.session.id)
      const before = reads.count
      await talk.begin()
      await Promise.all(all.map((reader) => reader.until((one) => one.has('delta'))))
      held.open()
      await Promise.all(all.map((reader) => reader.until((one) => one.has('turn/end'))))
      for (const reader of all) expect(reader.ids()).toEqual([1, 2, 3, 4, 5, 6])
      return reads.count - before
    }
    const ofOne = await readsOfTurn(1)
    const ofMany = await readsOfTurn(200)
    // How many changes are seen together is a matter of time; two hundred times as many reads would be thousands.
    expect(ofMany).toBeLessThan(3 * ofOne)
  })
})
