/**
 * Text that every provider accepts: valid Unicode, no NUL.
 *
 * Half of a surrogate pair cannot be encoded in UTF-8, and some servers cut or refuse a body at a NUL.
 */
import { parseJson } from './json.ts'

/** The text with U+FFFD in place of what cannot be sent. */
export function sendable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

// Argument text holds such characters as escapes: they come to light when the server decodes it.
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** The same for JSON text, whose strings may hold what cannot be sent as escapes. */
export function sendableJson(text: string): string {
  if (!SUSPICIOUS_ESCAPE.test(text)) return sendable(text)
  return JSON.stringify(sendableValue(parseJson(text)))
}

/** The same for every string within a value, keys included. */
export function sendableValue(value: unknown): unknown {
  if (typeof value === 'string') return sendable(value)
  if (Array.isArray(value)) return value.map(sendableValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [sendable(key), sendableValue(item)]))
}
