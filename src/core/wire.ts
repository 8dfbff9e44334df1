/**
 * Wire contracts: names and payloads of signals, queries, the opening and the carried state.
 *
 * Plain JSON, so that any SDK and `temporal workflow signal` can send it. `v` is the version of a payload;
 * a worker accepts those of the two previous releases.
 */
import type { Budget, Spending } from './budget.ts'
import type { EndReason, HandBack, InputFate, InputOrigin, Notify, RefusalReason } from './event.ts'
import type { GuardState } from './loop-guard.ts'
import type { Content } from './message.ts'
import type { Usage } from './usage.ts'

export const WORKFLOW_TYPE = 'turnWorkflow'

export const SIGNAL = {
  followup: 'followup',
  steer: 'steer',
  stop: 'stop',
  interrupt: 'interrupt',
  wake: 'wake',
} as const

export const QUERY = { status: 'status', pending: 'pending' } as const

/** The field of the value that stands for a payload which could not be decoded. */
export const UNDECODABLE = 'undecodablePayload'

export type Lane = 'next-turn' | 'next-step'

/** Content above 16 KiB is kept in the store, and only its digest travels. */
export type WireContent = Content | { readonly ref: string; readonly sizeBytes: number }

export interface InputSignal {
  readonly v: 1
  /** Chosen by the client; sending the same id again changes nothing. */
  readonly id: string
  readonly content: WireContent
  readonly origin?: InputOrigin
  readonly author?: string
  /** Only for this Turn: judged when the input is claimed. */
  readonly expectedTurnId?: string
  /** What becomes of it when the Turn is another one. Default `followup`. */
  readonly ifStale?: 'refuse' | 'followup'
  readonly notify?: Notify
}

/** An input in a lane of the inbox. */
export type QueuedInput = Omit<InputSignal, 'v'>

export interface StopSignal {
  readonly v: 1
  /** The Turn it is aimed at, by its id or that of any input claimed in it. Absent: whichever is running. */
  readonly turnId?: string
  /** What becomes of the inputs that came before it. Default `withdraw`. */
  readonly queue?: 'withdraw' | 'run'
  /** Default `now`, which a cancellation of the run accompanies. */
  readonly mode?: 'now' | 'after-step'
}

/** Stop the Turn and go on with this input: one signal, so that nothing can come between. */
export interface InterruptSignal {
  readonly v: 1
  readonly stop: Omit<StopSignal, 'v'>
  readonly input: InputSignal
}

/**
 * Tells the workflow that something about it was written to the log: an input was withdrawn, an approval was
 * decided, a client answered a call. Says nothing itself, so that nobody can approve by sending it.
 */
export interface WakeSignal {
  readonly v: 1
  readonly kind: 'withdrawn' | 'decided' | 'answered'
  /** Of the input, or of the call. */
  readonly id: string
}

export interface RefusedInput {
  readonly id: string
  readonly reason: RefusalReason
}

/** Inputs that one run hands to the next. */
export interface CarriedInbox {
  readonly nextStep: readonly QueuedInput[]
  readonly nextTurn: readonly QueuedInput[]
  readonly refused: readonly RefusedInput[]
}

/** A Turn that goes on in another run, in the middle. */
export interface CarriedTurn {
  readonly turnId: string
  readonly turn: number
  readonly plan: TurnPlan
  /** The last Step that was taken. */
  readonly step: number
  readonly guard: GuardState
  readonly counters: TurnCounters
  /** Milliseconds left of `maxDurationMs`. */
  readonly remainingMs: number
  /** Ids of the inputs claimed so far: each is another name of the Turn. */
  readonly claimed: readonly string[]
  /** The last `seq` that the workflow has heard of. */
  readonly seq: number
  /** Only for an agent with a budget. */
  readonly spent?: Spending
  /** Receipts of the last Step that were decided and not yet written. */
  readonly receipts?: readonly CarriedReceipt[]
  /** The call whose decision asked for a new plan, which the next Step notes. */
  readonly replan?: string
}

export type CarriedReceipt = readonly [callId: string, kind: 'repeated' | 'denied']

/** Counts that a Turn keeps across Steps. */
export interface TurnCounters {
  /** Model outputs cut in a row. */
  readonly cuts: number
  /** Steps in a row whose receipts were all `repeated`. */
  readonly stalled: number
  /** Empty completions in a row. */
  readonly empty: number
  /** Receipts written in this Turn. */
  readonly receipts: number
}

export const NO_COUNTERS: TurnCounters = { cuts: 0, stalled: 0, empty: 0, receipts: 0 }

/** What a run of `turnWorkflow` starts with. Absent or `{}` when a signal started it. */
export interface TurnOpening {
  readonly v?: 1
  readonly inbox?: CarriedInbox
  readonly turn?: CarriedTurn
  /** The input of a start that refuses to queue (`whenBusy: 'reject'`). */
  readonly input?: InputSignal
}

/** What an agent lets the workflow know of a tool. */
export interface ToolPlan {
  readonly effect: 'read' | 'idempotent' | 'once'
  readonly timeoutMs: number
  readonly poll?: { readonly maxCalls?: number; readonly maxDurationMs?: number }
}

/** The agent's settings that the loop needs, read once when the Turn opens. */
export interface TurnPlan {
  readonly agent: string
  readonly agentDigest: string
  readonly maxSteps: number
  readonly maxDurationMs: number
  readonly abortGraceMs: number
  readonly budget?: Budget
  /** What a steer does to calls that wait for approval. Absent: they keep waiting. */
  readonly onSteerWhileWaiting?: 'keep' | 'deny'
  readonly tools: Readonly<Record<string, ToolPlan>>
  /** Which activities of guardrails the Turn needs. */
  readonly guardrails?: { readonly input?: true; readonly output?: true }
}

/** Result of `turnWorkflow`: how its last Turn ended, or that its inputs opened none. */
export type TurnResult =
  | {
      readonly kind: 'ended'
      readonly turnId: string
      readonly turn: number
      readonly reason: EndReason
      readonly code?: string
    }
  | { readonly kind: 'nothing-opened' }

/** State of a Turn as the status query shows it. */
export type TurnPhase =
  | 'pending'
  | 'thinking'
  | 'tool_calling'
  | 'tool_executing'
  | 'waiting_human'
  | 'finished'
  | 'failed'

/** Answer of the `status` query. */
export interface TurnStatus {
  /** Undefined until the opening has been recorded. */
  readonly turnId?: string
  readonly turn?: number
  readonly step: number
  readonly phase: TurnPhase
  /** Whether a stop or cancellation is pending. */
  readonly isStopping: boolean
}

/** Answer of the `pending` query: what is in the inbox, in order of arrival per lane. */
export type PendingInputs = readonly {
  readonly id: string
  readonly lane: Lane
  readonly content: WireContent
}[]

/** What an ended Turn looks like to a client. */
export interface TurnOutcome {
  readonly turnId: string
  readonly turn: number
  readonly reason: EndReason
  readonly code?: string
  /** Set when the budget that is spent is the Session's. */
  readonly scope?: 'session'
  /** Final assistant text; empty when there is none. */
  readonly text: string
  readonly steps: number
  readonly handBack?: HandBack
  readonly inputs: readonly { readonly id: string; readonly fate: InputFate }[]
  readonly usage: Usage
  /** Micro-USD; null without a price. */
  readonly cost: number | null
}

/** Limits of section 2.1: what does not fit is refused, never dropped. */
export const INBOX_LIMITS = { inputs: 500, bytes: 512 * 1024, signalBytes: 64 * 1024 } as const

/** Above this, our client puts an input's content into the store. */
export const CONTENT_INLINE_BYTES = 16 * 1024

/** True for content that is only a reference into the store. */
export function isContentRef(
  content: WireContent,
): content is { readonly ref: string; readonly sizeBytes: number } {
  return typeof content === 'object' && 'ref' in content && !('type' in content)
}
