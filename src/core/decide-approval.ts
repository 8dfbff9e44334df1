/**
 * The decisions around a human's approval: asking for it, and recording what was decided.
 *
 * 1. The log decides, and the first decision wins; waking the workflow comes after.
 * 2. A decision is about the arguments that the human saw: another digest is refused.
 * 3. Nothing is decided for a call that has its receipt, whose Step is over, or whose time is up.
 */

import { receipt } from './decide-step.ts'
import type {
  ApprovalDecided,
  CallPreview,
  DecisionKind,
  DenialCause,
  EventOf,
  NewEvent,
  RiskLevel,
} from './event.ts'
import type { CallPosition } from './ids.ts'
import { callKey, turnKey } from './ids.ts'
import type { CommitView, Decision } from './ports.ts'
import { denialText } from './receipt.ts'

export interface ApprovalOffer extends CallPosition {
  readonly tool: string
  /** JSON text, canonical. */
  readonly arguments: string
  readonly argumentsDigest: string
  readonly risk: RiskLevel
  readonly expiresAt: string
  readonly preview?: CallPreview
  /** Receipts that the workflow has decided: what waits then is all that is open. */
  readonly receipts: readonly NewEvent[]
  readonly seenSeq: number
}

export type ApprovalRequestAnswer =
  | { readonly kind: 'waiting'; readonly expiresAt: string }
  | { readonly kind: 'turn-closed' }
  | { readonly kind: 'log-behind' }

export function approvalKeys(position: CallPosition): readonly string[] {
  const { turnId } = position
  return [
    turnKey(turnId, 'end'),
    callKey(turnId, position, 'requested'),
    callKey(turnId, position, 'decided'),
    callKey(turnId, position, 'call'),
    callKey(turnId, position, 'result'),
  ]
}

export function decideRequest(view: CommitView, offer: ApprovalOffer): Decision<ApprovalRequestAnswer> {
  const asked = view.existing(callKey(offer.turnId, offer, 'requested'))
  if (asked?.type === 'approval/requested')
    return { append: [], answer: { kind: 'waiting', expiresAt: asked.expiresAt } }
  if (view.head.seq < offer.seenSeq) return { append: [], answer: { kind: 'log-behind' } }
  if (!isOpen(view, offer)) return { append: [], answer: { kind: 'turn-closed' } }
  const { turnId, turn, step, callId, tool, argumentsDigest, risk, expiresAt } = offer
  const requested: NewEvent = {
    type: 'approval/requested',
    turnId,
    turn,
    step,
    callId,
    tool,
    arguments: offer.arguments,
    argumentsDigest,
    risk,
    expiresAt,
    ...(offer.preview === undefined ? {} : { preview: offer.preview }),
    key: callKey(turnId, offer, 'requested'),
  }
  return { append: [...offer.receipts, requested], answer: { kind: 'waiting', expiresAt } }
}

/** What a human decides of one call. */
export interface HumanDecision {
  readonly decision: DecisionKind
  /** Who decides. */
  readonly by: string
  readonly scope?: 'once' | 'session'
  readonly then?: 'continue' | 'replan'
  readonly note?: string
  /** Digest of the arguments that the human saw. Absent: of those that were asked about. */
  readonly argumentsDigest?: string
  /** JSON text, canonical: what is to run instead. Only for `edit`. */
  readonly arguments?: string
}

export type DecisionAnswer =
  /** This decision counts: it was written now, or before. */
  | { readonly kind: 'recorded'; readonly event: ApprovalDecided }
  | { readonly kind: 'conflict'; readonly event: EventOf<'approval/decided'> }
  | { readonly kind: 'not-requested' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'expired'; readonly expiresAt: string }
  | { readonly kind: 'arguments-changed'; readonly argumentsDigest: string }

export function decideDecision(
  view: CommitView,
  offer: { readonly position: CallPosition; readonly decision: HumanDecision; readonly now: string },
): Decision<DecisionAnswer> {
  const { position, decision } = offer
  const answer = (answered: DecisionAnswer): Decision<DecisionAnswer> => ({ append: [], answer: answered })
  const { turnId } = position
  const requested = view.existing(callKey(turnId, position, 'requested'))
  if (requested?.type !== 'approval/requested') return answer({ kind: 'not-requested' })
  const { argumentsDigest = requested.argumentsDigest } = decision
  const before = view.existing(callKey(turnId, position, 'decided'))
  const event = decidedEvent(position, requested.tool, { ...decision, argumentsDigest })
  if (before?.type === 'approval/decided')
    return answer(isSame(before, event) ? { kind: 'recorded', event } : { kind: 'conflict', event: before })
  if (view.existing(callKey(turnId, position, 'result')) !== undefined || !isOpen(view, position))
    return answer({ kind: 'closed' })
  if (argumentsDigest !== requested.argumentsDigest)
    return answer({ kind: 'arguments-changed', argumentsDigest: requested.argumentsDigest })
  if (offer.now >= requested.expiresAt) return answer({ kind: 'expired', expiresAt: requested.expiresAt })
  return { append: [event], answer: { kind: 'recorded', event } }
}

/** The denial of a call that nobody decided, with its receipt. */
export function policyDenial(
  position: CallPosition,
  call: { readonly tool: string; readonly argumentsDigest: string; readonly cause: DenialCause },
): readonly NewEvent[] {
  const { tool, argumentsDigest, cause } = call
  const decided = decidedEvent(position, tool, { decision: 'deny', by: 'policy', cause, argumentsDigest })
  return [decided, denialReceipt(position, { cause })]
}

/** The receipt of a call that was denied. */
export function denialReceipt(
  position: CallPosition,
  denial: { readonly cause?: DenialCause; readonly note?: string },
): NewEvent {
  const { turnId, turn, step, callId } = position
  return receipt({ turnId, turn, step, callId, kind: 'denied', content: denialText(denial) })
}

function decidedEvent(
  position: CallPosition,
  tool: string,
  fields: Omit<ApprovalDecided, 'type' | 'turnId' | 'turn' | 'step' | 'callId' | 'tool'>,
): ApprovalDecided & { readonly key: string } {
  const { turnId, turn, step, callId } = position
  const key = callKey(turnId, position, 'decided')
  return { type: 'approval/decided', turnId, turn, step, callId, tool, ...fields, key }
}

/** The same decision again, from whoever: it changes nothing. */
function isSame(a: ApprovalDecided, b: ApprovalDecided): boolean {
  return (
    a.decision === b.decision &&
    a.argumentsDigest === b.argumentsDigest &&
    a.arguments === b.arguments &&
    (a.scope ?? 'once') === (b.scope ?? 'once') &&
    (a.then ?? 'continue') === (b.then ?? 'continue')
  )
}

function isOpen(view: CommitView, position: CallPosition): boolean {
  const { open } = view.head
  return open?.turnId === position.turnId && open.step === position.step && open.isStepOpen
}
