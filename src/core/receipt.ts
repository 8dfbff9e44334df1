/**
 * Receipts: the one answer that every tool call gets, real or synthesized.
 */

import { assertNever } from './errors.ts'
import { clip } from './printable-text.ts'

/** Why a call's receipt says what it says. `ok` alone is not an error. */
export type ReceiptKind =
  | 'ok'
  | 'failed'
  | 'invalid-arguments'
  | 'unknown-tool'
  | 'denied'
  | 'timed-out'
  | 'not-started'
  | 'cancelled'
  | 'outcome-unknown'
  | 'repeated'
  | 'output-cut'

/** What a tool does to the world if it runs again with the same arguments. */
export type ToolEffect = 'read' | 'idempotent' | 'once'

export function isErrorReceipt(kind: ReceiptKind): boolean {
  return kind !== 'ok'
}

/** Whether a receipt says that its call ran, or may have. */
export function hasRun(kind: ReceiptKind): boolean {
  switch (kind) {
    case 'ok':
    case 'failed':
    case 'timed-out':
    case 'cancelled':
    case 'outcome-unknown':
      return true
    case 'not-started':
    case 'invalid-arguments':
    case 'unknown-tool':
    case 'output-cut':
    case 'repeated':
    case 'denied':
      return false
    default:
      return assertNever(kind, 'hasRun')
  }
}

const SYNTHESIZED_TEXT = {
  denied: 'Denied: this call was not approved. It was not run.',
  'not-started': 'Not started: the turn was stopped before this call ran. It had no effect.',
  cancelled:
    'Cancelled: the call was stopped before it returned a result. It only reads, so nothing was changed.',
  'outcome-unknown':
    'Outcome unknown: the call started, but its result was lost. It may or may not have taken effect. Verify before you try again.',
  repeated:
    'Not run: this is the same call with the same arguments as before, and running it again would not help. Use the result you have, or do something else.',
  'output-cut':
    'Not run: your output was cut off before the message was complete. Send a shorter message, or split the work into smaller calls.',
} as const satisfies Partial<Record<ReceiptKind, string>>

/** The kinds of receipt that are written without the tool having said anything. */
export type SynthesizedKind = keyof typeof SYNTHESIZED_TEXT

/** How much of a human's note the model is told, in UTF-16 units. */
const MAX_NOTE = 2_000

/** The text of a `denied` receipt: who or what denied the call, and the human's note for the model. */
export function denialText(denial: {
  readonly cause?: 'expired' | 'steered' | 'replanned'
  readonly note?: string
}): string {
  const why = {
    expired: 'Denied: nobody approved this call in time. It was not run.',
    steered: 'Denied: the user wrote something new instead of approving this call. It was not run.',
    replanned: 'Denied: a human asked for a new plan. This call was not run.',
    human: SYNTHESIZED_TEXT.denied,
  }[denial.cause ?? 'human']
  return denial.note === undefined || denial.note.trim() === ''
    ? why
    : `${why} Note: ${clip(denial.note, MAX_NOTE)}`
}

/** The fixed text of a receipt that no tool produced. */
export function synthesizedText(kind: SynthesizedKind): string {
  return SYNTHESIZED_TEXT[kind]
}

/** The receipt of a call that nobody will answer any more, by whether it started and by its effect. */
export function settledKind(call: {
  readonly started: boolean
  readonly effect: ToolEffect
}): 'not-started' | 'cancelled' | 'outcome-unknown' {
  if (!call.started) return 'not-started'
  return call.effect === 'read' ? 'cancelled' : 'outcome-unknown'
}
