/** Events of sample logs, with the keys that their payloads imply. */
import type {
  ApprovalDecided,
  ApprovalRequested,
  AssistantDraft,
  AssistantMessageEvent,
  AttemptLost,
  AuditRecorded,
  EndReason,
  Event,
  GuardrailHeld,
  GuardrailJudged,
  HandBack,
  InputRefused,
  NewEvent,
  ToolCallEvent,
  ToolResultEvent,
  TurnEnd,
  TurnStart,
  UserMessageEvent,
} from '../../src/core/event.ts'
import {
  attemptLostKey,
  callIdOf,
  callKey,
  continuedKey,
  draftKey,
  heldIdOf,
  heldKey,
  inputKey,
  judgedKey,
  stepKey,
  turnKey,
} from '../../src/core/ids.ts'
import type { Content } from '../../src/core/message.ts'
import type { ReceiptKind } from '../../src/core/receipt.ts'
import type { Usage } from '../../src/core/usage.ts'

/** What every sample message costs. */
export const MESSAGE_USAGE: Usage = { inputTokens: 10, outputTokens: 5 }

export const SAMPLE_HAND_BACK: HandBack = {
  done: ['Ran calculator.'],
  blockedBy: 'It was stopped.',
  next: 'Go on.',
}

/** Numbers the events and dates them, as a store would. */
export function seal(events: readonly NewEvent[]): Event[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, at: '2025-01-01T00:00:00.000Z', v: 1 }))
}

export function withdrawn(inputId: string, content: Content = 'never mind'): NewEvent {
  return { type: 'input/withdrawn', turnId: null, turn: null, key: inputKey(inputId), inputId, content }
}

export function refused(inputId: string, reason: InputRefused['reason'] = 'stale-turn'): NewEvent {
  return { type: 'input/refused', turnId: null, turn: null, key: inputKey(inputId), inputId, reason }
}

type Over<T> = Partial<Omit<T, 'type'>>

/** Makers of the events of one Turn. */
export function sampleTurn(turnId: string, turn = 1) {
  const place = { turnId, turn }
  return {
    start: (inputs: readonly string[] = [turnId], over: Over<TurnStart> = {}): NewEvent => ({
      ...place,
      type: 'turn/start',
      key: turnKey(turnId, 'start'),
      inputs,
      agent: 'default',
      agentDigest: 'digest',
      runId: 'run-1',
      firstExecutionRunId: 'run-1',
      ...over,
    }),
    continued: (runId = 'run-2'): NewEvent => ({
      ...place,
      type: 'turn/continued',
      key: continuedKey(turnId, runId),
      runId,
      firstExecutionRunId: 'run-1',
    }),
    followup: (inputId: string = turnId, over: Over<UserMessageEvent> = {}): NewEvent => ({
      ...place,
      type: 'user/message',
      key: inputKey(inputId),
      inputId,
      content: `text of ${inputId}`,
      via: 'followup',
      origin: 'user',
      ...over,
    }),
    steer: (inputId: string, step?: number, over: Over<UserMessageEvent> = {}): NewEvent => ({
      ...place,
      type: 'user/message',
      key: inputKey(inputId),
      inputId,
      content: `text of ${inputId}`,
      via: 'steer',
      origin: 'user',
      ...(step === undefined ? {} : { step }),
      ...over,
    }),
    stepStart: (step: number): NewEvent => ({
      ...place,
      type: 'step/start',
      step,
      key: stepKey(turnId, step, 'start'),
    }),
    says: (step: number, text: string, over: Over<AssistantMessageEvent> = {}): NewEvent => ({
      ...place,
      type: 'assistant/message',
      step,
      key: stepKey(turnId, step, 'message'),
      text,
      calls: [],
      finish: 'stop',
      usage: MESSAGE_USAGE,
      model: 'sample',
      ...over,
    }),
    asks: (step: number, tools: readonly string[], over: Over<AssistantMessageEvent> = {}): NewEvent => ({
      ...place,
      type: 'assistant/message',
      step,
      key: stepKey(turnId, step, 'message'),
      text: '',
      calls: tools.map((tool, index) => ({ callId: callIdOf({ turn, step, index }), tool, arguments: '{}' })),
      finish: 'tool_calls',
      usage: MESSAGE_USAGE,
      model: 'sample',
      ...over,
    }),
    requests: (step: number, index: number, tool: string, over: Over<ApprovalRequested> = {}): NewEvent => ({
      ...place,
      type: 'approval/requested',
      step,
      key: callKey(turnId, { step, index }, 'requested'),
      callId: callIdOf({ turn, step, index }),
      tool,
      arguments: '{}',
      argumentsDigest: 'digest',
      risk: 'high',
      expiresAt: '2025-01-02T00:00:00.000Z',
      ...over,
    }),
    decides: (
      step: number,
      index: number,
      decision: ApprovalDecided['decision'],
      over: Over<ApprovalDecided> = {},
    ): NewEvent => ({
      ...place,
      type: 'approval/decided',
      step,
      key: callKey(turnId, { step, index }, 'decided'),
      callId: callIdOf({ turn, step, index }),
      tool: 'send',
      decision,
      by: 'user',
      argumentsDigest: 'digest',
      ...over,
    }),
    audits: (step: number, index: number, tool: string, over: Over<AuditRecorded> = {}): NewEvent => ({
      ...place,
      type: 'audit/recorded',
      step,
      key: callKey(turnId, { step, index }, 'audit'),
      callId: callIdOf({ turn, step, index }),
      tool,
      risk: 'high',
      requestId: `request-${turn}-${step}-${index}`,
      argumentsDigest: 'digest',
      outcome: 'ok',
      agent: 'default',
      ...over,
    }),
    claims: (step: number, index: number, tool: string, over: Over<ToolCallEvent> = {}): NewEvent => ({
      ...place,
      type: 'tool/call',
      step,
      key: callKey(turnId, { step, index }, 'call'),
      callId: callIdOf({ turn, step, index }),
      tool,
      requestId: `request-${turn}-${step}-${index}`,
      risk: 'low',
      ...over,
    }),
    answers: (
      step: number,
      index: number,
      kind: ReceiptKind = 'ok',
      over: Over<ToolResultEvent> = {},
    ): NewEvent => ({
      ...place,
      type: 'tool/result',
      step,
      key: callKey(turnId, { step, index }, 'result'),
      callId: callIdOf({ turn, step, index }),
      kind,
      isError: kind !== 'ok',
      content: `result of ${step}.${index}`,
      ...over,
    }),
    drafts: (step: number, over: Over<AssistantDraft> = {}): NewEvent => ({
      ...place,
      type: 'assistant/draft',
      step,
      key: draftKey(turnId, step),
      digest: 'draft-digest',
      attempt: 1,
      usage: MESSAGE_USAGE,
      ...over,
    }),
    holds: (step: number, over: Over<GuardrailHeld> = {}): NewEvent => ({
      ...place,
      type: 'guardrail/held',
      step,
      key: heldKey(turnId, step),
      callId: heldIdOf({ turn: place.turn, step }),
      guardrail: 'guard',
      reason: 'Look at it.',
      digest: 'text-digest',
      expiresAt: '2030-01-01T00:00:00.000Z',
      ...over,
    }),
    judgesInput: (
      inputId: string,
      verdict: GuardrailJudged['verdict'] = 'pass',
      over: Over<GuardrailJudged> = {},
    ): NewEvent => ({
      ...place,
      type: 'guardrail/judged',
      key: judgedKey(turnId, { inputId }),
      stage: 'input',
      verdict,
      inputId,
      ...(verdict === 'pass' ? {} : { guardrail: 'guard' }),
      ...(verdict === 'block' ? { reason: 'Not this.' } : {}),
      ...over,
    }),
    judgesOutput: (
      step: number,
      verdict: GuardrailJudged['verdict'] = 'pass',
      over: Over<GuardrailJudged> = {},
    ): NewEvent => ({
      ...place,
      type: 'guardrail/judged',
      step,
      key: judgedKey(turnId, { step }),
      stage: 'output',
      verdict,
      ...(verdict === 'pass' ? {} : { guardrail: 'guard' }),
      ...(verdict === 'block' || verdict === 'object' ? { reason: 'Not this.' } : {}),
      ...over,
    }),
    stepEnd: (step: number): NewEvent => ({
      ...place,
      type: 'step/end',
      step,
      key: stepKey(turnId, step, 'end'),
    }),
    lost: (step: number, attempt: number, over: Over<AttemptLost> = {}): NewEvent => ({
      ...place,
      type: 'attempt/lost',
      step,
      key: attemptLostKey(turnId, step, attempt),
      attempt,
      cause: 'provider-failed',
      usage: { inputTokens: 3, outputTokens: 0, estimated: true },
      ...over,
    }),
    end: (reason: EndReason, over: Over<TurnEnd> = {}): NewEvent => ({
      ...place,
      type: 'turn/end',
      key: turnKey(turnId, 'end'),
      reason,
      ...(reason === 'completed' ? {} : { handBack: SAMPLE_HAND_BACK }),
      ...(reason === 'error' ? { code: 'rate-limited' } : {}),
      inputs: [{ id: turnId, fate: 'claimed' }],
      usage: { inputTokens: 0, outputTokens: 0 },
      cost: null,
      ...over,
    }),
  }
}

/** What `messages` sample messages cost. */
export function usageOf(messages: number): Usage {
  return { inputTokens: 10 * messages, outputTokens: 5 * messages }
}

/** The standard example: two tools one after the other, then a text. */
export function standardEvents(turnId = 'u1', turn = 1): NewEvent[] {
  const { start, followup, stepStart, says, asks, claims, answers, stepEnd, end } = sampleTurn(turnId, turn)
  return [
    start(),
    followup(),
    stepStart(1),
    asks(1, ['calculator']),
    claims(1, 0, 'calculator'),
    answers(1, 0),
    stepEnd(1),
    stepStart(2),
    asks(2, ['current_time']),
    claims(2, 0, 'current_time'),
    answers(2, 0),
    stepEnd(2),
    stepStart(3),
    says(3, 'It is four.'),
    stepEnd(3),
    end('completed', { usage: usageOf(3) }),
  ]
}
