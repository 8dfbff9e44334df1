/**
 * What closes a Turn: the events that settle everything in its log that is still open.
 *
 * Used by the Turn itself and by whoever finds one that was abandoned. It decides nothing but what the log
 * lacks, so that it runs again without harm: every event has the key it would have had.
 */

import { auditEvent } from './audit-event.ts'
import { costOf, type Price } from './cost.ts'
import type {
  AssistantMessageEvent,
  EndReason,
  Event,
  EventBody,
  EventOf,
  InputFate,
  NewEvent,
  ToolResultEvent,
  TurnEnd,
} from './event.ts'
import { handBackOf } from './hand-back.ts'
import { attemptLostKey, callKey, inputKey, stepKey, turnKey } from './ids.ts'
import type { Content } from './message.ts'
import type { SynthesizedKind, ToolEffect } from './receipt.ts'
import { isErrorReceipt, settledKind, synthesizedText } from './receipt.ts'
import type { Usage } from './usage.ts'
import { addUsage, estimateTokens, NO_USAGE } from './usage.ts'
import type { RefusedInput } from './wire.ts'

export interface TurnClosing {
  /** The Turn's events in order of `seq`, its `turn/start` among them; others are ignored. */
  readonly events: readonly Event[]
  readonly turnId: string
  readonly reason: EndReason
  /** Which error, when `reason` is `error`. */
  readonly code?: string
  /** Whose budget is spent, when it is the Session's. */
  readonly scope?: 'session' | undefined
  /** Effect by tool; one that is missing counts as `once`, the careful choice. */
  readonly effects: Readonly<Record<string, ToolEffect>>
  /** Receipts that were decided and not yet written, by call id; every other open call is settled here. */
  readonly receipts?: readonly (readonly [callId: string, kind: SynthesizedKind])[]
  /** What the user saw of a message that may not have been committed. */
  readonly live: LiveText
  /** Inputs that are taken back, and refused, with this end. One that this Turn claimed is left alone. */
  readonly withdrawn: readonly { readonly id: string; readonly content: Content }[]
  readonly refused: readonly RefusedInput[]
  /** The agent's; without one the cost is unknown. */
  readonly price?: Price | undefined
}

export interface LiveText {
  /** Empty when nothing was shown. */
  readonly text: string
  /** The model that was asked. */
  readonly model: string
  /** Estimate of what the request held; its answer is estimated from the text. */
  readonly inputTokens: number
  /** The attempt that showed it. One that is noted as lost has been counted with that note. */
  readonly attempt?: number
}

/**
 * The events to append, in order: the partial answer, receipts in call order, `step/end`, the fates of inputs,
 * `turn/end`. Of a Turn that has ended only the fates of inputs are left, outside it. Throws (a bug) when
 * `events` has no `turn/start` of that Turn.
 */
export function closeTurnEvents(closing: TurnClosing): readonly NewEvent[] {
  const events = closing.events.filter((event) => event.turnId === closing.turnId)
  const start = events.find((event): event is EventOf<'turn/start'> => event.type === 'turn/start')
  if (start === undefined) throw new Error(`closeTurnEvents: no turn/start of turn ${closing.turnId}`)
  const place = { turnId: start.turnId, turn: start.turn }

  const fates = inputEvents(closing, events)
  if (events.some((event) => event.type === 'turn/end'))
    return fates.map((event) => ({ ...event, turnId: null, turn: null }))

  const step = openStepOf(events)
  const settled = step === undefined ? [] : closeStep({ ...place, step }, events, closing)
  const whole: readonly EventBody[] = [...events, ...settled]
  return [
    ...settled,
    ...fates.map((event) => ({ ...event, ...place })),
    turnEnd(place, whole, { closing, fates }),
  ]
}

interface TurnPlace {
  readonly turnId: string
  readonly turn: number
}

interface StepPlace extends TurnPlace {
  readonly step: number
}

function openStepOf(events: readonly Event[]): number | undefined {
  const last = events.findLast((event) => event.type === 'step/start' || event.type === 'step/end')
  return last?.type === 'step/start' ? last.step : undefined
}

function closeStep(place: StepPlace, events: readonly Event[], closing: TurnClosing): NewEvent[] {
  const ofStep = events.filter((event) => 'step' in event && event.step === place.step)
  const message = ofStep.find(
    (event): event is EventOf<'assistant/message'> => event.type === 'assistant/message',
  )
  const end: NewEvent = { ...place, type: 'step/end', key: stepKey(place.turnId, place.step, 'end') }
  if (message === undefined)
    return [...partialMessage(place, ofStep, closing.live), ...lostDraft(place, ofStep), end]
  const receipts = missingReceipts(message, ofStep, closing)
  return [...receipts, ...missingAudits(agentOf(events), [...ofStep, ...receipts]), end]
}

function partialMessage(
  place: StepPlace,
  ofStep: readonly Event[],
  live: LiveText,
): (AssistantMessageEvent & NewEvent)[] {
  const text = live.text.toWellFormed()
  if (text.trim() === '') return []
  const isCounted = ofStep.some((event) => event.type === 'attempt/lost' && event.attempt === live.attempt)
  const outputTokens = estimateTokens(text.length)
  return [
    {
      ...place,
      type: 'assistant/message',
      key: stepKey(place.turnId, place.step, 'message'),
      text,
      calls: [],
      finish: 'none',
      usage: isCounted ? NO_USAGE : { inputTokens: live.inputTokens, outputTokens, estimated: true },
      model: live.model,
      interrupted: true,
    },
  ]
}

/** Of a message that was still to be judged nothing is kept but what it cost. */
function lostDraft(place: StepPlace, ofStep: readonly Event[]): NewEvent[] {
  const draft = ofStep.find((event): event is EventOf<'assistant/draft'> => event.type === 'assistant/draft')
  if (draft === undefined) return []
  const { attempt, usage } = draft
  if (ofStep.some((event) => event.type === 'attempt/lost' && event.attempt === attempt)) return []
  const key = attemptLostKey(place.turnId, place.step, attempt)
  return [{ ...place, type: 'attempt/lost', key, attempt, cause: 'aborted', usage }]
}

function missingReceipts(
  message: AssistantMessageEvent,
  ofStep: readonly Event[],
  closing: TurnClosing,
): (ToolResultEvent & NewEvent)[] {
  const { turnId, turn, step } = message
  const started = new Set(ofStep.flatMap((event) => (event.type === 'tool/call' ? [event.callId] : [])))
  const answered = new Set(ofStep.flatMap((event) => (event.type === 'tool/result' ? [event.callId] : [])))
  const decided = new Map(closing.receipts)
  return message.calls.flatMap(({ callId, tool }, index) => {
    if (answered.has(callId)) return []
    const isStarted = started.has(callId)
    const effect = effectOf(closing.effects, tool)
    const kind = (isStarted ? undefined : decided.get(callId)) ?? settledKind({ started: isStarted, effect })
    return [
      {
        type: 'tool/result',
        turnId,
        turn,
        step,
        key: callKey(turnId, { step, index }, 'result'),
        callId,
        kind,
        isError: isErrorReceipt(kind),
        content: synthesizedText(kind),
      },
    ]
  })
}

/** Calls of more than low risk that were started leave their record, too. */
function missingAudits(agent: string, ofStep: readonly NewEvent[]): NewEvent[] {
  const recorded = new Set(ofStep.flatMap((event) => (event.type === 'audit/recorded' ? [event.callId] : [])))
  return ofStep.flatMap((event): NewEvent[] => {
    if (event.type !== 'tool/call' || event.risk === 'low' || recorded.has(event.callId)) return []
    const { turnId, turn, step, callId, tool, risk, requestId, argumentsDigest = '' } = event
    const result = ofStep.find((one) => one.type === 'tool/result' && one.callId === callId)
    const decided = ofStep.find((one) => one.type === 'approval/decided' && one.callId === callId)
    const outcome = result?.type === 'tool/result' ? result.kind : 'outcome-unknown'
    const approvedBy = decided?.type === 'approval/decided' ? { approvedBy: decided.by } : {}
    const call = { turnId, turn, step, callId, tool, risk, requestId, argumentsDigest }
    return [auditEvent({ ...call, outcome, agent, ...approvedBy })]
  })
}

function agentOf(events: readonly Event[]): string {
  const start = events.find((event) => event.type === 'turn/start')
  return start?.type === 'turn/start' ? start.agent : ''
}

function effectOf(effects: TurnClosing['effects'], tool: string): ToolEffect {
  return (Object.hasOwn(effects, tool) ? effects[tool] : undefined) ?? 'once'
}

type InputEvent = Extract<NewEvent, { type: 'input/withdrawn' | 'input/refused' }>

function inputEvents(closing: TurnClosing, events: readonly Event[]): InputEvent[] {
  const settled = new Set(claimedBy(events))
  const isFirst = (id: string): boolean => !settled.has(id) && settled.add(id).has(id)
  const nowhere = { turnId: null, turn: null }
  const withdrawn = closing.withdrawn
    .filter(({ id }) => isFirst(id))
    .map(
      ({ id, content }): InputEvent => ({
        ...nowhere,
        type: 'input/withdrawn',
        key: inputKey(id),
        inputId: id,
        content,
      }),
    )
  const refused = closing.refused
    .filter(({ id }) => isFirst(id))
    .map(
      ({ id, reason }): InputEvent => ({
        ...nowhere,
        type: 'input/refused',
        key: inputKey(id),
        inputId: id,
        reason,
      }),
    )
  return [...withdrawn, ...refused]
}

function claimedBy(events: readonly EventBody[]): string[] {
  return events.flatMap((event) => (event.type === 'user/message' ? [event.inputId] : []))
}

function turnEnd(
  place: TurnPlace,
  events: readonly EventBody[],
  end: { readonly closing: TurnClosing; readonly fates: readonly InputEvent[] },
): TurnEnd & NewEvent {
  const { code, scope, price } = end.closing
  // Time that ran out while nothing was left to do is no reason.
  const reason = end.closing.reason === 'max-duration' && isFinal(events) ? 'completed' : end.closing.reason
  const claimed = claimedBy(events).map((id) => ({ id, fate: 'claimed' as InputFate }))
  const others = end.fates.map((event) => ({
    id: event.inputId,
    fate: (event.type === 'input/withdrawn' ? 'withdrawn' : 'refused') as InputFate,
  }))
  return {
    ...place,
    type: 'turn/end',
    key: turnKey(place.turnId, 'end'),
    reason,
    ...(code === undefined ? {} : { code }),
    ...(scope === undefined ? {} : { scope }),
    ...(reason === 'completed' ? {} : { handBack: handBackOf(events, reason, { code, scope }) }),
    inputs: [...claimed, ...others],
    usage: usageOf(events),
    cost: price === undefined ? null : usagesOf(events).reduce((sum, usage) => sum + costOf(usage, price), 0),
  }
}

/** Whether the last Step brought a whole text without calls. */
function isFinal(events: readonly EventBody[]): boolean {
  const step = events.findLast((event) => event.type === 'step/start')?.step
  const message = events.findLast(
    (event): event is AssistantMessageEvent => event.type === 'assistant/message',
  )
  return (
    message !== undefined &&
    message.step === step &&
    message.interrupted !== true &&
    message.calls.length === 0 &&
    (message.finish === 'stop' || message.finish === 'tool_calls')
  )
}

function usageOf(events: readonly EventBody[]): Usage {
  return usagesOf(events).reduce(addUsage, NO_USAGE)
}

/** Of each model call that was paid for. */
function usagesOf(events: readonly EventBody[]): readonly Usage[] {
  return events.flatMap((event) =>
    event.type === 'assistant/message' || event.type === 'attempt/lost' ? [event.usage] : [],
  )
}
