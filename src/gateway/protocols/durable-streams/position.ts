/**
 * Offsets and cursors of the Durable Streams protocol.
 */

/** An offset as clients see it: opaque, of one length, so that they sort as positions do. */
export function offsetOf(position: number): string {
  return String(position).padStart(16, '0')
}

/** `now` is the tail; undefined for what is no offset. */
export function parseOffset(offset: string): number | 'now' | undefined {
  if (offset === '-1') return 0
  if (offset === 'now') return 'now'
  return /^\d{16}$/.test(offset) ? Number(offset) : undefined
}

const EPOCH_MS = Date.UTC(2024, 9, 9)
const INTERVAL_MS = 20_000
/** An hour. */
const MOST_JITTER = 180

/**
 * The cursor of a live answer: the number of a time interval, and always more than the one that the client has, so
 * that no cache gives it the same answer for ever. `chance` is from 0 to 1.
 */
export function cursorAt(nowMs: number, theirs: string | undefined, chance: number): string {
  const current = Math.floor((nowMs - EPOCH_MS) / INTERVAL_MS)
  const known = theirs !== undefined && /^\d{1,15}$/.test(theirs) ? Number(theirs) : -1
  return String(known < current ? current : known + 1 + Math.floor(chance * (MOST_JITTER - 1)))
}
