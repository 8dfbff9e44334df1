/**
 * The event log: its envelope, its event types and their payloads.
 *
 * Per Session the log is append-only; `seq` is gapless from 1, and `key` is unique. Appending a key
 * that exists returns the event that is there, which is what makes every writer safe to run again.
 */
import type { Content, Reasoning, ToolCall } from './message.ts'
import type { ReceiptKind } from './receipt.ts'
import type { Usage } from './usage.ts'

export type EndReason =
  | 'completed'
  | 'aborted'
  | 'error'
  | 'blocked'
  | 'max-tokens'
  | 'max-steps'
  | 'max-duration'
  | 'token-budget'
  | 'cost-budget'
  | 'stalled'
  | 'provider-refused'

/** How a model's answer ended: `none` when the stream closed without saying, `unknown` for a word we do not know. */
export type Finish = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'refusal' | 'unknown' | 'none'

export type RiskLevel = 'low' | 'medium' | 'high'

export type InputOrigin = 'user' | 'system' | 'tool'

export type RefusalReason = 'invalid-input' | 'inbox-full' | 'too-large' | 'stale-turn' | 'content-missing'

/** What became of one input. */
export type InputFate = 'claimed' | 'withdrawn' | 'refused'

/** What a Turn that could not finish leaves for the human. */
export interface HandBack {
  /** What the Turn achieved, one line each. */
  readonly done: readonly string[]
  /** Why it stopped. */
  readonly blockedBy: string
  /** How the human can go on. */
  readonly next: string
}

interface TurnEnvelope {
  readonly turnId: string
  /** Ordinal of the Turn in its Session, from 1. */
  readonly turn: number
}

interface StepEnvelope extends TurnEnvelope {
  /** Ordinal of the Step in its Turn, from 1. */
  readonly step: number
}

/** Events outside Turns carry null for both. */
interface LooseEnvelope {
  readonly turnId: string | null
  readonly turn: number | null
}

export interface TurnStart extends TurnEnvelope {
  readonly type: 'turn/start'
  /** Ids of the inputs that opened it. */
  readonly inputs: readonly string[]
  readonly agent: string
  readonly agentDigest: string
  readonly runId: string
  readonly firstExecutionRunId: string
}

export interface TurnContinued extends TurnEnvelope {
  readonly type: 'turn/continued'
  readonly runId: string
  readonly firstExecutionRunId: string
}

export interface UserMessageEvent extends TurnEnvelope {
  readonly type: 'user/message'
  /** Absent on what opened the Turn; the Step that a steer joined otherwise. */
  readonly step?: number
  readonly inputId: string
  readonly content: Content
  readonly via: 'followup' | 'steer'
  readonly origin: InputOrigin
  readonly author?: string
  readonly notify?: Notify
}

/** Who is told, and how, once the input's Turn has ended. */
export type Notify = { readonly workflowId: string; readonly signal: string } | { readonly webhook: string }

export interface StepStart extends StepEnvelope {
  readonly type: 'step/start'
}

export interface AssistantMessageEvent extends StepEnvelope {
  readonly type: 'assistant/message'
  readonly text: string
  readonly reasoning?: Reasoning
  readonly calls: readonly ToolCall[]
  readonly finish: Finish
  readonly usage: Usage
  readonly model: string
  readonly interrupted?: true
}

export interface ToolCallEvent extends StepEnvelope {
  readonly type: 'tool/call'
  readonly callId: string
  readonly tool: string
  readonly requestId: string
  readonly risk: RiskLevel
}

export interface ToolResultEvent extends StepEnvelope {
  readonly type: 'tool/result'
  readonly callId: string
  readonly kind: ReceiptKind
  readonly isError: boolean
  readonly content: string
  readonly durationMs?: number
}

export interface StepEnd extends StepEnvelope {
  readonly type: 'step/end'
}

/** A model attempt that was paid for and not used. */
export interface AttemptLost extends StepEnvelope {
  readonly type: 'attempt/lost'
  /** From 1 within the Step. */
  readonly attempt: number
  readonly cause: 'worker-lost' | 'worker-shutdown' | 'provider-failed' | 'superseded' | 'empty' | 'aborted'
  readonly usage: Usage
}

export interface TurnEnd extends TurnEnvelope {
  readonly type: 'turn/end'
  readonly reason: EndReason
  /** Set when `reason` is `error`: which one. */
  readonly code?: string
  readonly handBack?: HandBack
  readonly inputs: readonly { readonly id: string; readonly fate: InputFate }[]
  /** Sum over the Turn, attempts that were lost included. */
  readonly usage: Usage
  /** Micro-USD; null while no price is configured. */
  readonly cost: number | null
}

export interface InputWithdrawn extends LooseEnvelope {
  readonly type: 'input/withdrawn'
  readonly inputId: string
  readonly content: Content
}

export interface InputRefused extends LooseEnvelope {
  readonly type: 'input/refused'
  readonly inputId: string
  readonly reason: RefusalReason
}

/** An event's own fields: everything but what the store assigns. */
export type EventBody =
  | TurnStart
  | TurnContinued
  | UserMessageEvent
  | StepStart
  | AssistantMessageEvent
  | ToolCallEvent
  | ToolResultEvent
  | StepEnd
  | AttemptLost
  | TurnEnd
  | InputWithdrawn
  | InputRefused

export type EventType = EventBody['type']

/** An event to be appended; the store assigns `seq` and `at`. */
export type NewEvent = EventBody & { readonly key: string }

/** An event of the log. */
export type Event = NewEvent & {
  /** Gapless from 1 within the Session. */
  readonly seq: number
  /** ISO 8601 time of the commit, UTC, milliseconds. */
  readonly at: string
  /** Version of the payload. */
  readonly v: 1
}

export type EventOf<T extends EventType> = Extract<Event, { readonly type: T }>
