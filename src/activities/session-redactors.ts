/**
 * Redactors of Sessions: what is redacted in one has the same placeholder throughout that Session, and another one
 * in every other.
 */
import { createHmac } from 'node:crypto'
import type { SessionKey } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import type { Redactor } from '../core/redaction/create-redactor.ts'
import type { Detector } from '../core/redaction/detector.ts'
import { sessionRedactor } from '../core/redaction/session-redactor.ts'

/** Remembers the store's secret. */
export class SessionRedactors {
  readonly #store: SessionStore
  #secret: string | undefined

  constructor(store: SessionStore) {
    this.#store = store
  }

  /** Fails as the store does. */
  async redactorOf(session: SessionKey, detectors: readonly Detector[]): Promise<Redactor> {
    this.#secret ??= await this.#store.secret()
    return sessionRedactor({ secret: this.#secret, session, detectors, hmac })
  }
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('hex')
}
