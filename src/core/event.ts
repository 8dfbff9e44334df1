/**
 * The event log: its envelope, its event types and their payloads.
 *
 * Per Session the log is append-only; `seq` is gapless from 1, and `key` is unique. Appending a key
 * that exists returns the event that is there, which is what makes every writer safe to run again.
 */
import type { Content, Reasoning, ToolCall } from './message.ts'
import type { ReceiptKind } from './receipt.ts'
import type { SpillNote } from './spill.ts'
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
  /** Set when the Turn's agent has input guardrails: no model sees it before its `guardrail/judged`. */
  readonly judged?: 'pending'
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
  /** SHA-256 of the arguments that run, lower-case hex; set when the risk is more than low. */
  readonly argumentsDigest?: string
  /** Set for a call that whoever talks to the agent runs: until when its result may be posted, ISO 8601. */
  readonly expiresAt?: string
}

export interface ToolResultEvent extends StepEnvelope {
  readonly type: 'tool/result'
  readonly callId: string
  readonly kind: ReceiptKind
  readonly isError: boolean
  readonly content: string
  /** Where the whole output is kept when `content` has only its ends. */
  readonly spill?: SpillNote
  readonly durationMs?: number
  /** Of the whole result, where `content` is only its ends. */
  readonly digest?: string
  /**
   * Set when `content` came from outside: a random mark that stands around it when it is shown to the model, so
   * that the content cannot pretend to end.
   */
  readonly mark?: string
  /** What the system says beside it: that a human changed the arguments, say. */
  readonly notice?: string
  /** Whether it brings in what others wrote, so that what follows is judged more strictly. */
  readonly outside?: true
}

/** A call waits for a human. */
export interface ApprovalRequested extends StepEnvelope {
  readonly type: 'approval/requested'
  readonly callId: string
  readonly tool: string
  /** JSON text, as the call would be run. */
  readonly arguments: string
  /** SHA-256 of `arguments`, lower-case hex: a decision is about these and no others. */
  readonly argumentsDigest: string
  readonly risk: RiskLevel
  /** ISO 8601; undecided then, it is denied. */
  readonly expiresAt: string
  /** What it would change, as its tool saw it when it asked. */
  readonly preview?: CallPreview
}

/** What a call would change in a file: a unified diff, redacted and bounded. */
export interface CallPreview {
  readonly kind: 'diff'
  readonly path: string
  readonly diff: string
}

export type DecisionKind = 'approve' | 'edit' | 'deny' | 'replan'

export interface ApprovalDecided extends StepEnvelope {
  readonly type: 'approval/decided'
  readonly callId: string
  readonly tool: string
  readonly decision: DecisionKind
  /** Who decided: a user's id, or `policy` for what the agent's policy or the time decided. */
  readonly by: string
  /** Set when nobody decided: why it was denied. */
  readonly cause?: DenialCause
  /** `session`: further calls of this tool need no approval in this Session. Default `once`. */
  readonly scope?: 'once' | 'session'
  /** Default `continue`. */
  readonly then?: 'continue' | 'replan'
  readonly note?: string
  readonly argumentsDigest: string
  /** JSON text, canonical: what is run instead, when the decision is `edit`. */
  readonly arguments?: string
}

/** Why a call was denied that no human denied. */
export type DenialCause = 'expired' | 'steered' | 'replanned'

/** What a call of more than low risk did, for those who review. */
export interface AuditRecorded extends StepEnvelope {
  readonly type: 'audit/recorded'
  readonly callId: string
  readonly tool: string
  readonly risk: RiskLevel
  readonly requestId: string
  readonly argumentsDigest: string
  readonly outcome: ReceiptKind
  /** The agent that called. */
  readonly agent: string
  /** Who approved it, if anybody had to. */
  readonly approvedBy?: string
}

/** From here on the tool history of this Turn is out of the context; what it came to is in `summary`. */
export interface ContextReplanned extends StepEnvelope {
  readonly type: 'context/replanned'
  /** The call whose decision asked for it. */
  readonly callId: string
  readonly summary: string
  readonly note?: string
}

/** What a guardrail said of an input, or of a final text. */
export interface GuardrailJudged extends TurnEnvelope {
  readonly type: 'guardrail/judged'
  readonly step?: number
  readonly stage: 'input' | 'output'
  /** `object`: the model is asked once more, with `reason`. */
  readonly verdict: 'pass' | 'rewrite' | 'block' | 'object'
  /** The guardrail that decided, or that held it for who did; absent when all passed. */
  readonly guardrail?: string
  /** Who decided on what was held: a user's id, or `policy` for what the agent's policy or the time decided. */
  readonly by?: string
  /** Of the input that was judged. */
  readonly inputId?: string
  /** What stands in place of what was judged, when the verdict is `rewrite`. Of an output it is a text. */
  readonly content?: Content
  readonly reason?: string
}

/** A guardrail wants a human to judge what the model said; what that is, is kept beside the log. */
export interface GuardrailHeld extends StepEnvelope {
  readonly type: 'guardrail/held'
  /** Under which a human decides, as on a call. */
  readonly callId: string
  readonly guardrail: string
  readonly reason: string
  /** Under which the store keeps the text, SHA-256: a decision is about this and no other. */
  readonly digest: string
  /** Whether earlier guardrails changed what the model had said. */
  readonly isRewritten?: true
  /** ISO 8601; undecided then, it is blocked. */
  readonly expiresAt: string
}

/** A message that awaits the judgement of output guardrails. What it says is kept beside the log. */
export interface AssistantDraft extends StepEnvelope {
  readonly type: 'assistant/draft'
  /** Under which the store keeps it, SHA-256. */
  readonly digest: string
  /** The attempt that brought it, from 1 within the Step. */
  readonly attempt: number
  /** Counted with the message that comes of it, or with the note that the attempt is lost. */
  readonly usage: Usage
}

export interface StepEnd extends StepEnvelope {
  readonly type: 'step/end'
}

/** A model attempt that was paid for and not used. */
export interface AttemptLost extends StepEnvelope {
  readonly type: 'attempt/lost'
  /** From 1 within the Step. */
  readonly attempt: number
  readonly cause:
    | 'worker-lost'
    | 'worker-shutdown'
    | 'provider-failed'
    | 'superseded'
    | 'empty'
    | 'aborted'
    | 'rejected'
  readonly usage: Usage
  /** Micro-USD, when it is noted after its Turn ended, so that no `turn/end` has counted it. Absent without a price. */
  readonly cost?: number
}

export interface TurnEnd extends TurnEnvelope {
  readonly type: 'turn/end'
  readonly reason: EndReason
  /** Set when `reason` is `error`: which one. */
  readonly code?: string
  /** Set when the budget that is spent is the Session's, which the next Turn does not have again. */
  readonly scope?: 'session'
  readonly handBack?: HandBack
  readonly inputs: readonly { readonly id: string; readonly fate: InputFate }[]
  /** Sum over the Turn, attempts that were lost included. */
  readonly usage: Usage
  /** Micro-USD, rounded up for each model call; null without a price. */
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
  | ApprovalRequested
  | ApprovalDecided
  | AuditRecorded
  | ContextReplanned
  | GuardrailJudged
  | GuardrailHeld
  | AssistantDraft
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
