/**
 * The decisions around one tool call: claiming it before its effect, and committing its result.
 *
 * The claim is `tool/call`. An attempt that finds its own claim without a result was started before: what
 * may run again does, and a `once` tool becomes `outcome-unknown`.
 */
import { denialReceipt, policyDenial } from './decide-approval.ts'
import type { ReceiptFields } from './decide-step.ts'
import { receipt } from './decide-step.ts'
import type { DenialCause, EventOf, NewEvent, RiskLevel } from './event.ts'
import type { CallPosition } from './ids.ts'
import { callKey, turnKey } from './ids.ts'
import type { CommitView, Decision } from './ports.ts'
import type { ToolEffect } from './receipt.ts'
import { denialText, synthesizedText } from './receipt.ts'

export interface CallOffer extends CallPosition {
  readonly tool: string
  readonly effect: ToolEffect
  readonly requestId: string
  readonly risk: RiskLevel
  readonly argumentsDigest: string
  readonly seenSeq: number
  readonly now: string
  /** Set for a call that the client runs: until when it may answer. */
  readonly expiresAt?: string
  /** The call runs only with a human's approval; undecided, it is denied for this cause if one is given. */
  readonly approval?: { readonly deny?: DenialCause }
}

export type CallClaim =
  | { readonly kind: 'run' }
  /** It has its receipt. */
  | { readonly kind: 'answered'; readonly result: EventOf<'tool/result'> }
  /** A `once` call whose earlier attempt was lost: its receipt is written. */
  | { readonly kind: 'outcome-unknown' }
  /** It waits for a human's decision, or, once it was given to the client, for the answer. */
  | { readonly kind: 'waiting'; readonly expiresAt: string; readonly isGiven: boolean }
  /** A human, the policy or the time denied it, or the client did not answer in time: its receipt is written. */
  | { readonly kind: 'denied' | 'timed-out'; readonly content: string; readonly replan: boolean }
  | { readonly kind: 'turn-closed' }
  | { readonly kind: 'log-behind' }

/** The log keys that both decisions look at. */
export function callKeys(position: CallPosition): readonly string[] {
  return [
    turnKey(position.turnId, 'end'),
    callKey(position.turnId, position, 'call'),
    callKey(position.turnId, position, 'result'),
    callKey(position.turnId, position, 'requested'),
    callKey(position.turnId, position, 'decided'),
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
  const claimed = view.existing(callKey(offer.turnId, offer, 'call'))
  if (claimed === undefined) {
    const withheld = withoutApproval(view, offer)
    if (withheld !== undefined) return withheld
    const { expiresAt } = offer
    const answer: CallClaim =
      expiresAt === undefined ? { kind: 'run' } : { kind: 'waiting', expiresAt, isGiven: true }
    return { append: [claimEvent(offer)], answer }
  }
  if (claimed.type === 'tool/call' && claimed.expiresAt !== undefined)
    return unansweredByClient(offer, claimed.expiresAt)
  if (offer.effect !== 'once') return { append: [], answer: { kind: 'run' } }
  const kind = 'outcome-unknown'
  return { append: [resultEvent(offer, { kind, content: synthesizedText(kind) })], answer: { kind } }
}

/** Why a call that needs approval does not run now; undefined when it may. */
function withoutApproval(view: CommitView, offer: CallOffer): Decision<CallClaim> | undefined {
  const { approval } = offer
  if (approval === undefined) return undefined
  const decided = view.existing(callKey(offer.turnId, offer, 'decided'))
  if (decided?.type === 'approval/decided') {
    if (decided.decision === 'approve' || decided.decision === 'edit') return undefined
    const { cause, note, decision } = decided
    const denial = { ...(cause === undefined ? {} : { cause }), ...(note === undefined ? {} : { note }) }
    const answer = { kind: 'denied', content: denialText(denial), replan: decision === 'replan' } as const
    return { append: [denialReceipt(offer, denial)], answer }
  }
  const requested = view.existing(callKey(offer.turnId, offer, 'requested'))
  const expiresAt = requested?.type === 'approval/requested' ? requested.expiresAt : offer.now
  const cause = approval.deny ?? (offer.now >= expiresAt ? 'expired' : undefined)
  if (cause === undefined) return { append: [], answer: { kind: 'waiting', expiresAt, isGiven: false } }
  const { tool, argumentsDigest } = offer
  return {
    append: policyDenial(offer, { tool, cause, argumentsDigest }),
    answer: { kind: 'denied', content: denialText({ cause }), replan: false },
  }
}

function unansweredByClient(offer: CallOffer, expiresAt: string): Decision<CallClaim> {
  if (offer.now < expiresAt) return { append: [], answer: { kind: 'waiting', expiresAt, isGiven: true } }
  const kind = 'timed-out'
  return {
    append: [resultEvent(offer, { kind, content: UNANSWERED })],
    answer: { kind, content: UNANSWERED, replan: false },
  }
}

/** What the client posts as the result of a call that was given to it. */
export type ClientAnswer =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'not-waiting' }
  | { readonly kind: 'answered'; readonly result: EventOf<'tool/result'> }
  | { readonly kind: 'expired'; readonly expiresAt: string }

/** Records what a client posts: once, in time, for a call that was given to it. */
export function decideClientAnswer(
  view: CommitView,
  offer: { readonly position: CallPosition; readonly events: readonly NewEvent[]; readonly now: string },
): Decision<ClientAnswer> {
  const { position, events, now } = offer
  const { turnId } = position
  const answer = (answered: ClientAnswer): Decision<ClientAnswer> => ({ append: [], answer: answered })
  const result = view.existing(callKey(turnId, position, 'result'))
  if (result?.type === 'tool/result') return answer({ kind: 'answered', result })
  const given = view.existing(callKey(turnId, position, 'call'))
  const { open } = view.head
  const isOpen = open?.turnId === turnId && open.step === position.step && open.isStepOpen
  if (given?.type !== 'tool/call' || given.expiresAt === undefined || !isOpen)
    return answer({ kind: 'not-waiting' })
  if (now >= given.expiresAt) return answer({ kind: 'expired', expiresAt: given.expiresAt })
  return { append: events, answer: { kind: 'recorded' } }
}

const UNANSWERED =
  'Timed out: the client that runs this call did not answer in time. It may or may not have taken effect. Verify before you try again.'

/** The receipt of a call, as an event. */
export function resultEvent(position: CallPosition, result: ReceiptFields): NewEvent {
  const { turnId, turn, step, callId } = position
  return receipt({ turnId, turn, step, callId, ...result })
}

function claimEvent(offer: CallOffer): NewEvent {
  const { turnId, turn, step, callId, tool, requestId, risk, argumentsDigest, expiresAt } = offer
  return {
    type: 'tool/call',
    turnId,
    turn,
    step,
    callId,
    tool,
    requestId,
    risk,
    ...(risk === 'low' ? {} : { argumentsDigest }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    key: callKey(turnId, offer, 'call'),
  }
}
