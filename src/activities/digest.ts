import { createHash } from 'node:crypto'
import type { SessionKey } from '../core/ids.ts'

/** SHA-256 of a text's UTF-8, in lower-case hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * What tells two calls or two results apart within a Turn: 64 bits, because it is kept in history once a call.
 */
export function fingerprintOf(text: string): string {
  return digestOf(text).slice(0, 16)
}

/** The request id of a call: the same on every attempt, different for every call anywhere. */
export function requestIdOf(
  session: SessionKey,
  call: { readonly turnId: string; readonly step: number; readonly index: number },
): string {
  const { tenant, session: id } = session
  return `req_${digestOf([tenant, id, call.turnId, call.step, call.index].join(' ')).slice(0, 32)}`
}
