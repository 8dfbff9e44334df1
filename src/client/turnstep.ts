/**
 * The client of a turnstep installation: its Sessions, by id.
 */
import type { Client } from '@temporalio/client'
import { TurnstepError } from '../core/errors.ts'
import { DEFAULT_TENANT, isId } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import { listSessions, type SessionSummary } from './list-sessions.ts'
import { Session } from './session.ts'

export interface TurnstepOptions {
  readonly temporal: Client
  readonly store: SessionStore
  /** Default `turnstep`. */
  readonly taskQueue?: string
  /** Default `default`. */
  readonly tenant?: string
}

export class Turnstep {
  readonly #options: Required<TurnstepOptions>

  constructor(options: TurnstepOptions) {
    this.#options = { taskQueue: 'turnstep', tenant: DEFAULT_TENANT, ...options }
  }

  /** A Session, which exists as soon as something is sent to it. Fails with `invalid-input` on an unusable id. */
  session(id: string): Session {
    const { temporal, store, taskQueue, tenant } = this.#options
    if (!isId(id)) {
      throw new TurnstepError('invalid-input', 'A session id is 1 to 128 characters out of A-Z a-z 0-9 _ . -')
    }
    return new Session({ key: { tenant, session: id }, temporal, store, taskQueue })
  }

  /** The same installation as another tenant has it. */
  forTenant(tenant: string): Turnstep {
    return new Turnstep({ ...this.#options, tenant })
  }

  /** Whether store and Temporal answer. Fails with `store-unavailable`, `store-corrupt` or `temporal-unavailable`. */
  async check(options: { readonly timeoutMs: number }): Promise<void> {
    const { store, temporal, tenant } = this.#options
    await store.sessions({ tenant, limit: 1 })
    try {
      const { connection } = temporal
      await connection.withDeadline(Date.now() + options.timeoutMs, () =>
        connection.workflowService.describeNamespace({ namespace: temporal.options.namespace }),
      )
    } catch (cause) {
      throw new TurnstepError('temporal-unavailable', 'Temporal does not answer.', { cause })
    }
  }

  /** Whether there is such a Session: one that was created, or to which something was sent that has arrived. */
  async has(id: string): Promise<boolean> {
    const { store, tenant } = this.#options
    return isId(id) && (await store.session({ tenant, session: id })) !== undefined
  }

  /** The Sessions by last change, newest first. */
  async sessions(options: { readonly limit?: number } = {}): Promise<readonly SessionSummary[]> {
    const { store, tenant } = this.#options
    return listSessions(store, { tenant, limit: options.limit ?? 100 })
  }

  /** Creates a Session for an agent. One that exists keeps the agent it has. */
  async createSession(
    id: string,
    options: { readonly agent?: string; readonly metadata?: Readonly<Record<string, unknown>> } = {},
  ): Promise<Session> {
    const session = this.session(id)
    await this.#options.store.createSession({
      key: { tenant: this.#options.tenant, session: id },
      ...options,
    })
    return session
  }
}
