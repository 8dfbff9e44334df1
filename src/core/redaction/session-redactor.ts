/**
 * The redactor of a Session: what is redacted has the same placeholder throughout it, in every process, and another
 * one in every other Session.
 */
import type { SessionKey } from '../ids.ts'
import { createRedactor, type Redactor } from './create-redactor.ts'
import type { Detector } from './detector.ts'

export function sessionRedactor(of: {
  /** The store's. */
  readonly secret: string
  readonly session: SessionKey
  readonly detectors: readonly Detector[]
  /** HMAC-SHA-256 in hex, of a text with a key. */
  readonly hmac: (key: string, text: string) => string
}): Redactor {
  const { secret, session, detectors, hmac } = of
  const key = hmac(secret, `${session.tenant} ${session.session}`)
  return createRedactor({ detectors, digest: (text) => hmac(key, text) })
}
