/**
 * Talking to what runs already: the Temporal server and the store of a data folder, without bringing anything up.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../config.ts'
import { type ConnectedTurnstep, connect } from '../../connect.ts'
import { TurnstepError } from '../../core/errors.ts'
import { openStore, type TurnstepStore } from '../../open-store.ts'
import { joinRunningTemporal } from '../local-temporal.ts'
import { withStartLock } from '../start-lock.ts'
import { type SeatHolder, WorkerSeat } from './worker-seat.ts'

/** A Temporal server that runs: the configured one, or the data folder's, which is held until it is let go. */
interface FoundServer {
  readonly address: string
  readonly uiUrl?: string
  release(): Promise<void>
}

/** What runs, as a client of it. */
export interface Attached {
  readonly address: string
  /** Of Temporal's own web page, where the server is the data folder's. */
  readonly uiUrl?: string
  readonly client: ConnectedTurnstep
  readonly store: TurnstepStore
  close(): Promise<void>
}

/** Attaches to what runs. Fails with `temporal-unavailable` when nothing does, saying what to start. */
export async function attach(settings: Environment): Promise<Attached> {
  const attached = await attachIfRunning(settings)
  if (attached !== undefined) return attached
  throw new TurnstepError(
    'temporal-unavailable',
    `Nothing runs for ${settings.dataDir}. Start it with "turnstep start" (or "turnstep worker") in another terminal, or set TEMPORAL_ADDRESS.`,
  )
}

/** As {@link attach}; undefined when nothing runs for the data folder. */
export async function attachIfRunning(settings: Environment): Promise<Attached | undefined> {
  const server = await findServer(settings)
  if (server === undefined) return undefined
  const { address, uiUrl } = server
  try {
    const store = await openStore(settings.database)
    try {
      const { temporal, taskQueue } = settings
      const client = await connect({ address, store, namespace: temporal.namespace, taskQueue })
      const close = async (): Promise<void> => {
        await client.close()
        await store.close()
        await server.release()
      }
      return { address, ...(uiUrl === undefined ? {} : { uiUrl }), client, store, close }
    } catch (error) {
      await store.close()
      throw error
    }
  } catch (error) {
    await server.release()
    throw error
  }
}

/** Who runs the worker of a data folder; undefined when no process of this machine does. */
export function findWorker(settings: Environment): SeatHolder | undefined {
  if (!existsSync(settings.dataDir)) return undefined
  const seat = new WorkerSeat(settings)
  try {
    return seat.tryTake() ? undefined : seat.holder()
  } finally {
    seat.release()
  }
}

async function findServer({ dataDir, temporal }: Environment): Promise<FoundServer | undefined> {
  if (temporal.address !== undefined) return { address: temporal.address, release: () => Promise.resolve() }
  const folder = join(dataDir, 'temporal')
  if (!existsSync(folder)) return undefined
  return withStartLock(folder, () => joinRunningTemporal(folder, temporal.namespace))
}
