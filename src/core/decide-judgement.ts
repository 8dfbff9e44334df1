/**
 * The decisions around guardrails: what is recorded of an input's judgement, and what becomes of a draft.
 */
import type { MessageAnswer, MessageOffer } from './decide-step.ts'
import { attemptLost, decideLost, decideMessage } from './decide-step.ts'
import type { Event, NewEvent } from './event.ts'
import type { Judgement, OutputJudgement } from './guardrail.ts'
import { draftKey, judgedKey, stepKey } from './ids.ts'
import type { Content } from './message.ts'
import type { CommitView, Decision } from './ports.ts'

interface TurnPlace {
  readonly turnId: string
  readonly turn: number
}

/** The event that records what the guardrails said of an input. */
export function inputJudged(
  place: TurnPlace & { readonly step?: number },
  judged: {
    readonly inputId: string
    readonly judgement: Judgement<Content>
  },
): NewEvent {
  const { inputId, judgement } = judged
  const { turnId, turn, step } = place
  return {
    type: 'guardrail/judged',
    turnId,
    turn,
    ...(step === undefined ? {} : { step }),
    key: judgedKey(turnId, { inputId }),
    stage: 'input',
    inputId,
    ...judgement,
  }
}

/** Whether an input of the Turn was blocked. */
export function hasBlockedInput(events: readonly Event[]): boolean {
  return events.some(
    (event) => event.type === 'guardrail/judged' && event.stage === 'input' && event.verdict === 'block',
  )
}

/** Notes that a message awaits its judgement; the loser of a race records what it paid. */
export function decideDraft(
  view: CommitView,
  draft: { readonly offer: MessageOffer; readonly digest: string },
): Decision<MessageAnswer> {
  const { offer, digest } = draft
  const { turnId, turn, step, usage } = offer.message
  const { attempt } = offer
  const key = draftKey(turnId, step)
  const position = { turnId, turn, step }
  const isLate =
    view.existing(key) !== undefined || view.existing(stepKey(turnId, step, 'message')) !== undefined
  if (isLate) {
    const own = decideLost(view, position, { attempt, cause: 'superseded', usage })
    return { append: own.append, answer: 'superseded' }
  }
  return {
    append: [{ type: 'assistant/draft', ...position, key, digest, attempt, usage }],
    answer: 'committed',
  }
}

/** Commits a message without a text to judge, unless another attempt's draft came first: then it is lost. */
export function decideUnjudged(view: CommitView, offer: MessageOffer): Decision<MessageAnswer> {
  const { turnId, turn, step, usage } = offer.message
  if (view.existing(draftKey(turnId, step)) === undefined) return decideMessage(view, offer)
  const lost = { attempt: offer.attempt, cause: 'superseded', usage } as const
  return { append: decideLost(view, { turnId, turn, step }, lost).append, answer: 'superseded' }
}

/** The log keys that judging a draft looks at. */
export function draftKeys(turnId: string, step: number): readonly string[] {
  return [stepKey(turnId, step, 'message'), judgedKey(turnId, { step })]
}

/** A judgement of a text, by guardrails or by the human for whom one of them held it. */
export type OutputDecision = Judgement<string> & { readonly guardrail?: string; readonly by?: string }

/**
 * Records the judgement of a draft, and with it the message that comes of it, or that nothing does. Nothing, when
 * it was judged before.
 */
export function decideOutput(
  view: CommitView,
  judged: { readonly draft: MessageOffer; readonly judgement: OutputDecision },
): Decision<undefined> {
  const { draft, judgement } = judged
  const { turnId, turn, step, usage } = draft.message
  if (draftKeys(turnId, step).some((key) => view.existing(key) !== undefined))
    return { append: [], answer: undefined }
  const position = { turnId, turn, step }
  const event: NewEvent = {
    type: 'guardrail/judged',
    ...position,
    key: judgedKey(turnId, { step }),
    stage: 'output',
    ...judgement,
  }
  const message = messageOf(draft, judgement)
  const outcome =
    message === undefined
      ? [attemptLost(position, { attempt: draft.attempt, cause: 'rejected', usage })]
      : decideMessage(view, message).append
  return { append: [event, ...outcome], answer: undefined }
}

/** What is said in the end; of a text that was rewritten, the reasoning would still tell the original. */
function messageOf(draft: MessageOffer, judgement: Judgement<string>): MessageOffer | undefined {
  if (judgement.verdict === 'pass') return draft
  if (judgement.verdict !== 'rewrite') return undefined
  const { reasoning: _, ...message } = draft.message
  return { ...draft, message: { ...message, text: judgement.content } }
}

/** The verdict that counts: an objection as long as the Turn has any left, then a block. */
export function boundVerdict(
  judgement: OutputJudgement,
  turn: { readonly earlier: readonly Event[]; readonly maxObjections: number },
): OutputJudgement {
  if (judgement.verdict !== 'object') return judgement
  const { guardrail, reason } = judgement
  const objections = turn.earlier.filter(isObjection).length
  if (objections < turn.maxObjections) return judgement
  return { verdict: 'block', guardrail, reason: `${reason} (objected to ${objections + 1} times)` }
}

/** Of a guardrail. What a human objects to is not bounded. */
function isObjection(event: Event): boolean {
  return event.type === 'guardrail/judged' && event.verdict === 'object' && event.by === undefined
}
