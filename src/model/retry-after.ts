/**
 * How long a provider asks us to wait, out of the headers and bodies that providers use.
 */
import { isRecord } from './json.ts'

/** A header that asks for more is taken as nonsense. */
const MAX_SENSIBLE_MS = 24 * 60 * 60 * 1_000

/** Reads one header, case-insensitive; null when it is absent. */
export type HeaderReader = (name: string) => string | null

/**
 * Milliseconds to wait, or undefined if the answer does not say. Of several statements the longest counts, because
 * it satisfies them all: `retry-after-ms` and `x-ms-retry-after-ms` (OpenAI, Azure), `retry-after` in seconds or as
 * a date (RFC 9110), `RetryInfo` in the body (Google). Only where there is none of these, the reset times of
 * limits that are used up (`x-ratelimit-reset-*`).
 */
export function retryAfterMs(
  header: HeaderReader,
  body: unknown,
  now: () => number = Date.now,
): number | undefined {
  const stated = [
    milliseconds(header('retry-after-ms')),
    milliseconds(header('x-ms-retry-after-ms')),
    retryAfter(header('retry-after'), header('date'), now),
    retryInfo(body),
  ]
  return longest(stated) ?? longest([resetMs(header, 'requests'), resetMs(header, 'tokens')])
}

function longest(candidates: readonly (number | undefined)[]): number | undefined {
  const sensible = candidates.filter((value) => value !== undefined && value >= 0 && value <= MAX_SENSIBLE_MS)
  return sensible.length === 0 ? undefined : Math.ceil(Math.max(...(sensible as number[])))
}

function milliseconds(value: string | null): number | undefined {
  return value !== null && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined
}

/** Seconds, or a date, which is measured by the server's own clock if it shows it. */
function retryAfter(value: string | null, date: string | null, now: () => number): number | undefined {
  if (value === null) return undefined
  const seconds = milliseconds(value)
  if (seconds !== undefined) return seconds * 1_000
  const until = /^[A-Za-z]{3}/.test(value.trim()) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(until)) return undefined
  const serverNow = date === null ? Number.NaN : Date.parse(date)
  return Math.max(0, until - (Number.isNaN(serverNow) ? now() : serverNow))
}

/** When a limit of which nothing remains is full again. */
function resetMs(header: HeaderReader, limit: 'requests' | 'tokens'): number | undefined {
  const remaining = milliseconds(header(`x-ratelimit-remaining-${limit}`))
  const reset = header(`x-ratelimit-reset-${limit}`)
  if (reset === null || (remaining !== undefined && remaining > 0)) return undefined
  return durationMs(reset)
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/** A duration as `6m0s`, `1.5s`, `20ms`, or a plain number of seconds; undefined for points in time. */
function durationMs(value: string): number | undefined {
  const text = value.trim()
  const plain = milliseconds(text)
  if (plain !== undefined) return plain * 1_000
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0), 0)
}

function retryInfo(body: unknown): number | undefined {
  const details =
    isRecord(body) && Array.isArray(body['details']) ? (body['details'] as readonly unknown[]) : []
  for (const detail of details) {
    const delay = isRecord(detail) ? detail['retryDelay'] : undefined
    if (typeof delay === 'string') return durationMs(delay)
  }
  return undefined
}
