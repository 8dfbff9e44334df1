/**
 * The decisions around one model call: admitting its Step, and committing what the model said.
 */

import type { AgentPolicy } from './authorize-call.ts'
import { DEFAULT_POLICY, needsApproval } from './authorize-call.ts'
import type { Claims, ResolvedInput } from './claim-inputs.ts'
import { claimKeys, claimSteers, refusals } from './claim-inputs.ts'
import type { AssistantMessageEvent, AttemptLost, NewEvent, RiskLevel, ToolResultEvent } from './event.ts'
import {
  attemptLostKey,
  callIdOf,
  callKey,
  draftKey,
  inputKey,
  parseCallId,
  replannedKey,
  stepKey,
  turnKey,
} from './ids.ts'
import type { Recorded } from './inbox.ts'
import type { ToolCall } from './message.ts'
import type { CommitView, Decision } from './ports.ts'
import type { ReceiptKind, SynthesizedKind } from './receipt.ts'
import { isErrorReceipt, synthesizedText } from './receipt.ts'
import type { RefusedInput } from './wire.ts'

/** A receipt that the workflow decided, to be written before the Step it belongs to ends. */
export type DecidedReceipt = readonly [callId: string, kind: Extract<SynthesizedKind, 'repeated' | 'denied'>]

export interface StepOffer {
  readonly turnId: string
  readonly turn: number
  readonly step: number
  readonly steers: readonly ResolvedInput[]
  readonly refused: readonly RefusedInput[]
  /** Receipts of the Step before. */
  readonly receipts: readonly DecidedReceipt[]
  /** The Step before ended with a new plan: its tool history leaves the context. */
  readonly replan?: { readonly callId: string; readonly summary: string; readonly note?: string }
  /** After a final message a Step is taken only if it claims something. */
  readonly onlyIfClaimed: boolean
  /** The last `seq` that the workflow has heard of. */
  readonly seenSeq: number
}

export type StepAdmission =
  /** The Step is open, and this attempt may call the model. */
  | { readonly kind: 'admitted'; readonly recorded: Recorded }
  /** An earlier attempt committed the message. */
  | { readonly kind: 'answered'; readonly recorded: Recorded }
  /** An earlier attempt brought a message that awaits its judgement. */
  | { readonly kind: 'drafted'; readonly digest: string; readonly recorded: Recorded }
  | { readonly kind: 'nothing-claimed'; readonly recorded: Recorded }
  /** The Step is over and brought no message: the run was reset, or this attempt slept. */
  | { readonly kind: 'passed' }
  /** The Turn is over. */
  | { readonly kind: 'turn-closed' }
  | { readonly kind: 'log-behind' }

/** The log keys that the decision looks at. */
export function stepKeys(offer: StepOffer): readonly string[] {
  return [
    turnKey(offer.turnId, 'end'),
    stepKey(offer.turnId, offer.step, 'message'),
    draftKey(offer.turnId, offer.step),
    ...claimKeys(offer.steers),
  ]
}

/** Ends the Step before, starts this one and claims what is offered; again, if an attempt did so before. */
export function decideStep(view: CommitView, offer: StepOffer): Decision<StepAdmission> {
  const { turnId, turn, step } = offer
  const { open, seq } = view.head
  const nothing = (answer: StepAdmission): Decision<StepAdmission> => ({ append: [], answer })

  const claimer = { turnId, turn, step }
  const claims = claimSteers(view, claimer, offer.steers)

  if (view.existing(stepKey(turnId, step, 'message')) !== undefined) {
    return nothing({ kind: 'answered', recorded: ownClaims(view, claims.recorded) })
  }
  if (seq < offer.seenSeq) return nothing({ kind: 'log-behind' })
  if (open?.turnId !== turnId) return nothing({ kind: 'turn-closed' })
  if (open.step > step || (open.step === step && !open.isStepOpen)) return nothing({ kind: 'passed' })
  if (open.step < step - 1) return nothing({ kind: 'log-behind' })

  const draft = view.existing(draftKey(turnId, step))
  if (draft?.type === 'assistant/draft') {
    return nothing({ kind: 'drafted', digest: draft.digest, recorded: ownClaims(view, claims.recorded) })
  }

  const isStarted = open.step === step
  const recorded: Recorded = { ...claims.recorded, refused: offer.refused.length }
  const outside = [
    ...refusals(offer.refused, offer),
    ...claims.events.filter((event) => event.type === 'input/refused'),
  ]
  if (offer.onlyIfClaimed && !isStarted && claims.recorded.claimed.length === 0) {
    return { append: outside, answer: { kind: 'nothing-claimed', recorded } }
  }
  const closing: readonly NewEvent[] =
    isStarted || !open.isStepOpen
      ? []
      : [
          ...offer.receipts.map((receipt) => decidedReceipt({ turnId, turn, step: step - 1 }, receipt)),
          ...replanned(offer),
          stepEnd(offer, step - 1),
        ]
  const opening: readonly NewEvent[] = isStarted
    ? []
    : [{ type: 'step/start', ...claimer, key: stepKey(turnId, step, 'start') }]
  const messages = claims.events.filter((event) => event.type === 'user/message')
  return {
    append: [...closing, ...outside, ...opening, ...messages],
    answer: { kind: 'admitted', recorded },
  }
}

/** What may be said of inputs when nothing more is appended: only what the log has. */
function ownClaims(view: CommitView, recorded: Claims['recorded']): Recorded {
  const isKnown = (id: string): boolean => view.existing(inputKey(id)) !== undefined
  return { settled: recorded.settled.filter(isKnown), claimed: recorded.claimed.filter(isKnown) }
}

/** A call of an assistant message that gets its receipt at once, because it cannot run. */
export interface UnrunnableCall {
  readonly index: number
  readonly kind: Extract<ReceiptKind, 'invalid-arguments' | 'unknown-tool' | 'output-cut'>
  readonly content: string
}

export interface MessageOffer {
  readonly message: Omit<AssistantMessageEvent, 'type' | 'calls'>
  /** Tool and arguments, in the model's order; ids are issued here. */
  readonly calls: readonly (Omit<ToolCall, 'callId' | 'needsApproval'> & { readonly risk?: RiskLevel })[]
  /** Absent: the default one. */
  readonly policy?: AgentPolicy
  readonly unrunnable: readonly UnrunnableCall[]
  /** Earlier attempts that were paid for and lost, and this one if it loses. */
  readonly lost: readonly Omit<AttemptLost, 'type' | 'turnId' | 'turn' | 'step'>[]
  readonly attempt: number
}

export type MessageAnswer = 'committed' | 'superseded'

/** Commits a message with the receipts of calls that cannot run; the loser of a race records what it paid. */
export function decideMessage(view: CommitView, offer: MessageOffer): Decision<MessageAnswer> {
  const { turnId, turn, step, usage } = offer.message
  const position = { turnId, turn, step }
  const key = stepKey(turnId, step, 'message')
  const lost = offer.lost.map((one) => attemptLost(position, one))
  if (view.existing(key) !== undefined) {
    const own = decideLost(view, position, { attempt: offer.attempt, cause: 'superseded', usage })
    return { append: [...lost, ...own.append], answer: 'superseded' }
  }
  const by = { policy: offer.policy ?? DEFAULT_POLICY, memory: view.head.memory }
  const calls = offer.calls.map(({ risk = 'low', ...call }, index): ToolCall => {
    const asks = needsApproval({ tool: call.tool, risk }, by)
    return {
      callId: callIdOf({ turn, step, index }),
      ...call,
      ...(asks ? { needsApproval: true as const } : {}),
    }
  })
  const receipts = offer.unrunnable.map(({ index, kind, content }) =>
    receipt({ ...position, callId: callIdOf({ turn, step, index }), kind, content }),
  )
  return {
    append: [...lost, { ...offer.message, type: 'assistant/message', key, calls }, ...receipts],
    answer: 'committed',
  }
}

/**
 * Notes a lost attempt, unless its Turn was closed over it: the text that it had shown became an interrupted
 * message, and was counted with that. What it cost is noted only when the Turn has ended and cannot count it.
 */
export function decideLost(
  view: CommitView,
  position: { readonly turnId: string; readonly turn: number; readonly step: number },
  lost: Omit<AttemptLost, 'type' | 'turnId' | 'turn' | 'step'>,
): Decision<undefined> {
  const message = view.existing(stepKey(position.turnId, position.step, 'message'))
  const isCounted = message?.type === 'assistant/message' && message.interrupted === true
  const isLate = view.head.open?.turnId !== position.turnId
  const { cost, ...counted } = lost
  const noted = isLate && cost !== undefined ? { ...counted, cost } : counted
  return { append: isCounted ? [] : [attemptLost(position, noted)], answer: undefined }
}

/** The note that a model attempt was paid for and not used. */
export function attemptLost(
  position: { readonly turnId: string; readonly turn: number; readonly step: number },
  lost: Omit<AttemptLost, 'type' | 'turnId' | 'turn' | 'step'>,
): NewEvent {
  return {
    type: 'attempt/lost',
    ...position,
    key: attemptLostKey(position.turnId, position.step, lost.attempt),
    ...lost,
  }
}

/** What a receipt says, beside where it stands. */
export type ReceiptFields = Pick<
  ToolResultEvent,
  'kind' | 'content' | 'digest' | 'spill' | 'durationMs' | 'mark' | 'outside' | 'notice'
>

/** A `tool/result` event. `callId` must be one that `callIdOf` made. */
export function receipt(
  fields: ReceiptFields & {
    readonly turnId: string
    readonly turn: number
    readonly step: number
    readonly callId: string
  },
): NewEvent {
  const index = parseCallId(fields.callId)?.index ?? 0
  return {
    type: 'tool/result',
    ...fields,
    key: callKey(fields.turnId, { step: fields.step, index }, 'result'),
    isError: isErrorReceipt(fields.kind),
  }
}

/** The receipt that the workflow decided for a call of this Step. */
export function decidedReceipt(
  { turnId, turn, step }: { readonly turnId: string; readonly turn: number; readonly step: number },
  [callId, kind]: DecidedReceipt,
): NewEvent {
  return receipt({ turnId, turn, step, callId, kind, content: synthesizedText(kind) })
}

function replanned({ turnId, turn, step, replan }: StepOffer): readonly NewEvent[] {
  if (replan === undefined) return []
  const ended = step - 1
  return [
    { type: 'context/replanned', turnId, turn, step: ended, ...replan, key: replannedKey(turnId, ended) },
  ]
}

function stepEnd(offer: StepOffer, step: number): NewEvent {
  return {
    type: 'step/end',
    turnId: offer.turnId,
    turn: offer.turn,
    step,
    key: stepKey(offer.turnId, step, 'end'),
  }
}
