/**
 * The inbox of a Turn's workflow: inputs not yet claimed, in two lanes, and what was refused.
 *
 * Owns what waits; the store owns what was claimed. Invariants:
 *  1. An input leaves only when the log has its fate: it is *offered* to an activity, and leaves when the
 *     answer says that it is recorded.
 *  2. Reading a signal never fails: what cannot be read becomes a refusal.
 *  3. The carried state stays far below Temporal's payload limit (`INBOX_LIMITS`).
 *  4. `order` counts arrivals of inputs and stops alike, so that "before the stop" is well defined.
 */
import type { RefusalReason } from './event.ts'
import type { CarriedInbox, Lane, QueuedInput, RefusedInput } from './wire.ts'
import { INBOX_LIMITS } from './wire.ts'

export interface InboxEntry {
  readonly input: QueuedInput
  readonly lane: Lane
  readonly order: number
  readonly sizeBytes: number
}

export interface Inbox {
  /** In order of arrival; a steer that became a followup moves to the end. */
  readonly entries: readonly InboxEntry[]
  readonly refused: readonly RefusedInput[]
  readonly arrivals: number
}

export const EMPTY_INBOX: Inbox = { entries: [], refused: [], arrivals: 0 }

/** An input that was read off a signal, or why it was refused. */
export type ReadInput =
  | { readonly kind: 'input'; readonly input: QueuedInput; readonly sizeBytes: number }
  /** `id` is the client's where it was readable. */
  | { readonly kind: 'refused'; readonly id?: string; readonly reason: RefusalReason }

/** The inbox after one more arrival. An id that is known here is a resend and changes nothing. */
export function enqueue(inbox: Inbox, lane: Lane, read: Extract<ReadInput, { kind: 'input' }>): Inbox {
  const { input, sizeBytes } = read
  if (isKnown(inbox, input.id)) return inbox
  if (inbox.entries.length >= INBOX_LIMITS.inputs || sizeOf(inbox) + sizeBytes > INBOX_LIMITS.bytes) {
    return refuse(inbox, { id: input.id, reason: 'inbox-full' })
  }
  const order = inbox.arrivals + 1
  return { ...inbox, entries: [...inbox.entries, { input, lane, order, sizeBytes }], arrivals: order }
}

/** The inbox with one more refusal to be recorded. What waits is not refused because its id came again, unreadable. */
export function refuse(inbox: Inbox, refused: RefusedInput): Inbox {
  if (isKnown(inbox, refused.id)) return inbox
  return { ...inbox, refused: [...inbox.refused, refused] }
}

/** Whether an id waits, or is about to be recorded as refused: it has its one fate, or will have. */
function isKnown(inbox: Inbox, id: string): boolean {
  return inbox.entries.some((entry) => entry.input.id === id) || inbox.refused.some((one) => one.id === id)
}

/** The inputs of a lane, in order. */
export function lane(inbox: Inbox, which: Lane): readonly QueuedInput[] {
  return inbox.entries.filter((entry) => entry.lane === which).map((entry) => entry.input)
}

/** What an activity's answer says of the inputs that were offered to it. */
export interface Recorded {
  /** Claimed by this activity. */
  readonly claimed?: readonly string[]
  /** Have another fate in the log: withdrawn, refused, or claimed before. */
  readonly settled?: readonly string[]
  /** Steers for another Turn, which become followups. */
  readonly requeued?: readonly string[]
  /** How many of the refusals, from the first, are recorded. */
  readonly refused?: number
}

/** The inbox after an activity's answer. Ids that do not wait here are ignored. */
export function settle(inbox: Inbox, recorded: Recorded): Inbox {
  const gone = new Set([...(recorded.claimed ?? []), ...(recorded.settled ?? [])])
  const requeued = new Set(recorded.requeued ?? [])
  const left = inbox.entries.filter((entry) => !gone.has(entry.input.id))
  const staying = left.filter((entry) => !requeued.has(entry.input.id))
  const moved = left.filter((entry) => requeued.has(entry.input.id)).map(asFollowup)
  return { ...inbox, entries: [...staying, ...moved], refused: inbox.refused.slice(recorded.refused ?? 0) }
}

/** Inputs that arrived no later than `order`. */
export function arrivedBy(inbox: Inbox, order: number): readonly QueuedInput[] {
  return inbox.entries.filter((entry) => entry.order <= order).map((entry) => entry.input)
}

/** What one run hands to the next. */
export function carry(inbox: Inbox): CarriedInbox {
  return { nextStep: lane(inbox, 'next-step'), nextTurn: lane(inbox, 'next-turn'), refused: inbox.refused }
}

/** The inbox that a run starts with. What was accepted once is not refused on the way. */
export function carriedInbox(carried: CarriedInbox): Inbox {
  const queued = [
    ...carried.nextStep.map((input) => ({ input, lane: 'next-step' as const })),
    ...carried.nextTurn.map((input) => ({ input, lane: 'next-turn' as const })),
  ]
  return {
    entries: queued.map((entry, index) => ({
      ...entry,
      order: index + 1,
      sizeBytes: jsonBytes(entry.input),
    })),
    refused: carried.refused,
    arrivals: queued.length,
  }
}

/** Bytes of a value as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? '')
}

function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

function sizeOf(inbox: Inbox): number {
  return inbox.entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
}

/** A steer that goes on as a followup no longer asks for a Turn. */
function asFollowup(entry: InboxEntry): InboxEntry {
  const { expectedTurnId: _turn, ifStale: _policy, ...input } = entry.input
  return { ...entry, input, lane: 'next-turn' }
}
