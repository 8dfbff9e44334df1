/**
 * The client of a turnstep installation: its Sessions, by id.
 */
import type { Client } from '@temporalio/client'
import { TurnstepError } from '../core/errors.ts'
import { DEFAULT_TENANT, isId } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
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
