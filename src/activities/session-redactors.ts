/**
 * Redactors of Sessions: what is redacted in one has the same placeholder throughout that Session, and another one
 * in every other.
 */
import { createHmac } from 'node:crypto'
import type { SessionKey } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import { createRedactor, type Redactor } from '../core/redaction/create-redactor.ts'
import type { Detector } from '../core/redaction/detector.ts'

/** Remembers the store's secret. */
export class SessionRedactors {
  readonly #store: SessionStore
  #secret: string | undefined

  constructor(store: SessionStore) {
    this.#store = store
  }

  /** Fails as the store does. */
  async redactorOf({ tenant, session }: SessionKey, detectors: readonly Detector[]): Promise<Redactor> {
    this.#secret ??= await this.#store.secret()
    const key = createHmac('sha256', this.#secret).update(`${tenant} ${session}`).digest()
    return createRedactor({
      detectors,
      digest: (text) => createHmac('sha256', key).update(text, 'utf8').digest('hex'),
    })
  }
}
