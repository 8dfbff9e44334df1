/**
 * The decisions around a text that a guardrail holds for a human.
 *
 * 1. A human's decision is one more judgement: it is committed with what becomes of the draft, and the first wins.
 * 2. It is about the text that the human saw: another digest is refused.
 * 3. Nothing is decided once the Step is over or the time is up; nobody's decision is a block.
 */
import { decideOutput, draftKeys, type OutputDecision } from './decide-judgement.ts'
import type { MessageOffer } from './decide-step.ts'
import type { DecisionKind, EventOf, GuardrailHeld, GuardrailJudged, NewEvent } from './event.ts'
import { heldIdOf, heldKey, judgedKey } from './ids.ts'
import type { CommitView, Decision } from './ports.ts'
import { clip } from './printable-text.ts'

/** As for a guardrail's own reason, which this stands beside. */
const MAX_REASON_CHARACTERS = 500

interface StepPlace {
  readonly turnId: string
  readonly turn: number
  readonly step: number
}

export type HoldOffer = StepPlace &
  Pick<GuardrailHeld, 'guardrail' | 'reason' | 'digest' | 'isRewritten' | 'expiresAt'>

/** The log keys that these decisions look at. */
export function heldKeys(turnId: string, step: number): readonly string[] {
  return [heldKey(turnId, step), ...draftKeys(turnId, step)]
}

/** Asks a human, unless one was asked or the draft was judged before. */
export function decideHold(view: CommitView, offer: HoldOffer): Decision<undefined> {
  const { turnId, step } = offer
  const isKnown = heldKeys(turnId, step).some((key) => view.existing(key) !== undefined)
  const event: NewEvent = {
    type: 'guardrail/held',
    ...offer,
    callId: heldIdOf(offer),
    key: heldKey(turnId, step),
  }
  return { append: isKnown ? [] : [event], answer: undefined }
}

/** What a human decides of a text. */
export interface TextDecision {
  readonly decision: DecisionKind
  readonly by: string
  /** For whoever is told: the user of a denial, the model of `replan`. */
  readonly note?: string
  /** Digest of the text that the human saw. Absent: of the one that is held. */
  readonly argumentsDigest?: string
  /** What is said instead. Only for `edit`. */
  readonly text?: string
}

export type TextAnswer =
  /** This decision counts: it was written now, or before. */
  | { readonly kind: 'recorded' }
  | { readonly kind: 'conflict'; readonly event: EventOf<'guardrail/judged'> }
  | { readonly kind: 'not-requested' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'expired'; readonly expiresAt: string }
  | { readonly kind: 'arguments-changed' }

export interface HeldDraft {
  readonly draft: MessageOffer
  /** What guardrails left of its text: what the human saw. */
  readonly text: string
}

export function decideText(
  view: CommitView,
  offer: HeldDraft & { readonly decision: TextDecision; readonly now: string },
): Decision<TextAnswer> {
  const { draft, decision } = offer
  const { turnId, step } = draft.message
  const answer = (answered: TextAnswer): Decision<TextAnswer> => ({ append: [], answer: answered })
  const held = view.existing(heldKey(turnId, step))
  if (held?.type !== 'guardrail/held') return answer({ kind: 'not-requested' })
  const judgement = judgementOf(held, offer)
  const before = view.existing(judgedKey(turnId, { step }))
  if (before?.type === 'guardrail/judged')
    return answer(isSame(before, judgement) ? { kind: 'recorded' } : { kind: 'conflict', event: before })
  if (!isOpen(view, draft.message)) return answer({ kind: 'closed' })
  if (decision.argumentsDigest !== undefined && decision.argumentsDigest !== held.digest)
    return answer({ kind: 'arguments-changed' })
  if (offer.now >= held.expiresAt) return answer({ kind: 'expired', expiresAt: held.expiresAt })
  return { append: decideOutput(view, { draft, judgement }).append, answer: { kind: 'recorded' } }
}

export type WaitingText =
  | { readonly kind: 'waiting'; readonly expiresAt: string }
  /** It was judged, or its Step is over: the log says how. */
  | { readonly kind: 'settled' }

/** Whether a held text still waits; one whose time is up is blocked, one that a steer overtook is dropped. */
export function decideWaiting(
  view: CommitView,
  offer: HeldDraft & { readonly now: string; readonly isSteered: boolean },
): Decision<WaitingText> {
  const { draft } = offer
  const { turnId, step } = draft.message
  const held = view.existing(heldKey(turnId, step))
  const isSettled = draftKeys(turnId, step).some((key) => view.existing(key) !== undefined)
  if (held?.type !== 'guardrail/held' || isSettled || !isOpen(view, draft.message))
    return { append: [], answer: { kind: 'settled' } }
  const { guardrail, expiresAt } = held
  const isExpired = offer.now >= expiresAt
  if (!isExpired && !offer.isSteered) return { append: [], answer: { kind: 'waiting', expiresAt } }
  const judgement: OutputDecision = isExpired
    ? { verdict: 'block', guardrail, reason: `${held.reason} (nobody decided in time)`, by: 'policy' }
    : {
        verdict: 'object',
        guardrail,
        reason: 'The user wrote something new before it was sent.',
        by: 'policy',
      }
  return { append: decideOutput(view, { draft, judgement }).append, answer: { kind: 'settled' } }
}

function judgementOf(
  held: GuardrailHeld,
  { text, decision }: { readonly text: string; readonly decision: TextDecision },
): OutputDecision {
  const { guardrail } = held
  const { by, note } = decision
  const reason = (otherwise: string): string =>
    note === undefined || note.trim() === '' ? otherwise : clip(note, MAX_REASON_CHARACTERS)
  switch (decision.decision) {
    case 'approve':
      return held.isRewritten === true
        ? { verdict: 'rewrite', guardrail, content: text, by }
        : { verdict: 'pass', guardrail, by }
    case 'edit':
      return { verdict: 'rewrite', guardrail, content: decision.text ?? text, by }
    case 'deny':
      return { verdict: 'block', guardrail, reason: reason('A human did not allow it.'), by }
    case 'replan':
      return { verdict: 'object', guardrail, reason: reason('A human wants another answer.'), by }
  }
}

/** The same decision again, from whoever: it changes nothing. */
function isSame(before: GuardrailJudged, { verdict, ...judgement }: OutputDecision): boolean {
  if (before.by === undefined || before.by === 'policy' || before.verdict !== verdict) return false
  return 'content' in judgement ? before.content === judgement.content : true
}

function isOpen(view: CommitView, place: StepPlace): boolean {
  const { open } = view.head
  return open?.turnId === place.turnId && open.step === place.step && open.isStepOpen
}
