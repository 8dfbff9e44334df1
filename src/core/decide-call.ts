/**
 * The decisions around one tool call: claiming it before its effect, and committing its result.
 *
 * The claim is `tool/call`. An attempt that finds its own claim without a result was started before: what
 * may run again does, and a `once` tool becomes `outcome-unknown`.
 */
import { receipt } from './decide-step.ts'
import type { EventOf, NewEvent, RiskLevel } from './event.ts'
import { callKey, turnKey } from './ids.ts'
import type { CommitView, Decision } from './ports.ts'
import type { ReceiptKind, ToolEffect } from './receipt.ts'
import { synthesizedText } from './receipt.ts'

export interface CallPosition {
  readonly turnId: string
  readonly turn: number
  readonly step: number
  readonly index: number
  readonly callId: string
}

export interface CallOffer extends CallPosition {
  readonly tool: string
  readonly effect: ToolEffect
  readonly requestId: string
  readonly risk: RiskLevel
  readonly seenSeq: number
}

export type CallClaim =
  | { readonly kind: 'run' }
  /** It has its receipt. */
  | { readonly kind: 'answered'; readonly result: EventOf<'tool/result'> }
  /** A `once` call whose earlier attempt was lost: its receipt is written. */
  | { readonly kind: 'outcome-unknown' }
  | { readonly kind: 'turn-closed' }
  | { readonly kind: 'log-behind' }

/** The log keys that both decisions look at. */
export function callKeys(position: CallPosition): readonly string[] {
  return [
    turnKey(position.turnId, 'end'),
    callKey(position.turnId, position, 'call'),
    callKey(position.turnId, position, 'result'),
  ]
}

export function decideClaim(view: CommitView, offer: CallOffer): Decision<CallClaim> {
  const { open, seq } = view.head
  const result = view.existing(callKey(offer.turnId, offer, 'result'))
  if (result?.type === 'tool/result') return { append: [], answer: { kind: 'answered', result } }
  if (seq < offer.seenSeq) return { append: [], answer: { kind: 'log-behind' } }
  if (open?.turnId !== offer.turnId || open.step !== offer.step || !open.isStepOpen) {
    return { append: [], answer: { kind: 'turn-closed' } }
  }
  if (view.existing(callKey(offer.turnId, offer, 'call')) === undefined) {
    return { append: [claimEvent(offer)], answer: { kind: 'run' } }
  }
  if (offer.effect !== 'once') return { append: [], answer: { kind: 'run' } }
  const kind = 'outcome-unknown'
  return { append: [resultEvent(offer, { kind, content: synthesizedText(kind) })], answer: { kind } }
}

/** The receipt of a call, as an event. */
export function resultEvent(
  position: CallPosition,
  result: { readonly kind: ReceiptKind; readonly content: string; readonly durationMs?: number },
): NewEvent {
  const { turnId, turn, step, callId } = position
  return receipt({ turnId, turn, step, callId, ...result })
}

function claimEvent(offer: CallOffer): NewEvent {
  const { turnId, turn, step, callId, tool, requestId, risk } = offer
  return {
    type: 'tool/call',
    turnId,
    turn,
    step,
    callId,
    tool,
    requestId,
    risk,
    key: callKey(turnId, offer, 'call'),
  }
}
