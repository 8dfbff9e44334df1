/**
 * Connecting an application: Temporal, the store, and the client on both. Composition root.
 */
import { Client, Connection } from '@temporalio/client'
import { Turnstep } from './client/index.ts'
import type { Environment } from './config.ts'
import { environment } from './config.ts'
import { TurnstepError } from './core/errors.ts'
import type { SessionStore } from './core/ports.ts'
import { openStore } from './open-store.ts'

export interface ConnectOptions {
  /** host:port of Temporal's frontend. Default: `TEMPORAL_ADDRESS`, else 127.0.0.1:7233. */
  readonly address?: string
  /** Default: `TEMPORAL_NAMESPACE`, else `default`. */
  readonly namespace?: string
  /** Default: `TURNSTEP_TASK_QUEUE`, else `turnstep`. */
  readonly taskQueue?: string
  readonly tenant?: string
  /** A store that is open already; it stays open. Default: the one that `DATABASE_URL` names. */
  readonly store?: SessionStore
}

/** A client with the connections that it opened. */
export class ConnectedTurnstep extends Turnstep {
  readonly #close: () => Promise<void>

  constructor(options: ConstructorParameters<typeof Turnstep>[0], close: () => Promise<void>) {
    super(options)
    this.#close = close
  }

  /** Closes what `connect` opened. */
  async close(): Promise<void> {
    await this.#close()
  }
}

/**
 * Connects to Temporal and opens the store, by the environment where nothing is given. Fails with
 * `temporal-unavailable`, `store-unavailable`, `store-corrupt` or `invalid-config`.
 */
export async function connect(options: ConnectOptions = {}): Promise<ConnectedTurnstep> {
  const settings = environment()
  const address = options.address ?? settings.temporal.address ?? '127.0.0.1:7233'
  const connection = await connectTemporal(address, settings)
  const store = options.store ?? (await openStore(settings.database))
  const namespace = options.namespace ?? settings.temporal.namespace
  return new ConnectedTurnstep(
    {
      temporal: new Client({ connection, namespace }),
      store,
      taskQueue: options.taskQueue ?? settings.taskQueue,
      ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
    },
    async () => {
      await connection.close()
      if (options.store === undefined) await store.close()
    },
  )
}

async function connectTemporal(address: string, settings: Environment): Promise<Connection> {
  try {
    return await Connection.connect({ ...settings.temporal.connection, address })
  } catch (cause) {
    throw new TurnstepError(
      'temporal-unavailable',
      `There is no Temporal server at ${address}. Start one, or set TEMPORAL_ADDRESS to where it is.`,
      { cause },
    )
  }
}
