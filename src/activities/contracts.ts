/**
 * What the workflow and its activities say to each other. Types only: the workflow imports nothing else from here.
 *
 * Ids, digests and counters; never the transcript, arguments or results. Every byte here is paid for in
 * history once per Step, so what is empty is left out.
 */
import type { BudgetEnd, Spending } from '../core/budget.ts'
import type { DecidedReceipt } from '../core/decide-step.ts'
import type { DenialCause, EndReason } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import type { Recorded } from '../core/inbox.ts'
import type { ReceiptKind } from '../core/receipt.ts'
import type { QueuedInput, RefusedInput, TurnPlan } from '../core/wire.ts'

export interface OpenTurnRequest {
  readonly runId: string
  readonly firstExecutionRunId: string
  readonly steers: readonly QueuedInput[]
  readonly followups: readonly QueuedInput[]
  readonly refused: readonly RefusedInput[]
}

export type OpenTurnAnswer =
  | {
      readonly kind: 'opened'
      readonly turnId: string
      readonly turn: number
      readonly plan: TurnPlan
      readonly recorded: Recorded
      readonly seq: number
      /** Set when the Turn is open but cannot be run. */
      readonly error?: string
    }
  | { readonly kind: 'nothing-opened'; readonly recorded: Recorded }

/** Notes in the log that a Turn goes on in another run. */
export interface ContinueTurnRequest {
  readonly turnId: string
  readonly turn: number
  readonly runId: string
  readonly firstExecutionRunId: string
}

export interface CallModelRequest {
  readonly turnId: string
  readonly turn: number
  readonly step: number
  /** The last `seq` that the workflow has heard of. */
  readonly seq: number
  readonly steers?: readonly QueuedInput[]
  readonly refused?: readonly RefusedInput[]
  readonly receipts?: readonly DecidedReceipt[]
  /** The call whose decision asked for a new plan: the tool history of this Turn leaves the context. */
  readonly replan?: string
  readonly onlyIfClaimed?: true
  /** What it claims is to be judged before the model sees it. */
  readonly judge?: true
}

/** A call that can run: its id, its tool, and the fingerprint of tool and arguments. */
export interface PlannedCall {
  readonly id: string
  readonly tool: string
  readonly print: string
  /** A human has to approve it first. */
  readonly ask?: true
}

/** A call that has its receipt already. */
export interface UnrunnablePlan {
  readonly print: string
  readonly kind: ReceiptKind
}

export type CallModelAnswer = {
  readonly seq?: number
  readonly recorded?: Recorded
  /** What the Turn has spent now. Only for an agent with a budget. */
  readonly spent?: Spending
} & (
  | {
      readonly kind: 'calls'
      readonly calls: readonly PlannedCall[]
      readonly unrunnable?: readonly UnrunnablePlan[]
    }
  /** A text without calls, positively finished. */
  | { readonly kind: 'final' }
  /** The output was cut; nothing of it ran. */
  | { readonly kind: 'cut'; readonly receipts: number }
  /** Neither text nor calls, twice. */
  | { readonly kind: 'empty' }
  /** Content filter or refusal. */
  | { readonly kind: 'refused' }
  /** What it said awaits the judgement of guardrails, kept under this digest. */
  | { readonly kind: 'draft'; readonly digest: string }
  /** A guardrail does not allow an input that the Step claimed; the model was not called. */
  | { readonly kind: 'blocked' }
  /** Aborted; what the user saw is kept. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly code: string }
  /** An attempt was paid for and lost, and nothing is left for another. */
  | ({ readonly kind: 'budget-spent' } & BudgetEnd)
  | { readonly kind: 'nothing-claimed' }
  | { readonly kind: 'turn-closed' }
)

/** Asks for the judgement of the inputs that opened the Turn. */
export interface JudgeInputsRequest {
  readonly turnId: string
  /** The last `seq` that the workflow has heard of. */
  readonly seq: number
}

export type JudgeInputsAnswer =
  | { readonly kind: 'passed' | 'blocked'; readonly seq: number }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'turn-closed' }

/** Asks for the judgement of what the model said in a Step. */
export interface JudgeOutputRequest {
  readonly turnId: string
  readonly step: number
  /** Of the draft that `callModel` kept. */
  readonly digest: string
  /** The last `seq` that the workflow has heard of. */
  readonly seq: number
  /** A steer came, and the agent's policy is that what is held for a human is then dropped. */
  readonly isSteered?: true
}

/** What the workflow is told of a message, or of a call that brought none. */
export type MessageAnswer = Exclude<CallModelAnswer, { readonly kind: 'draft' }>

/** As `callModel` would have answered, for what became a message. */
export type JudgeOutputAnswer =
  | MessageAnswer
  /** The model is to be asked once more. */
  | { readonly kind: 'objected'; readonly seq?: number; readonly spent?: Spending }
  /** It is held for a human. */
  | (WaitingText & { readonly spent?: Spending })

/** What the model said waits for a human. */
export interface WaitingText {
  readonly kind: 'waiting'
  readonly seq: number
  /** Under which it is decided. */
  readonly id: string
  /** Milliseconds from now. */
  readonly expiresInMs: number
  /** How many want to be told; absent when nobody does. */
  readonly notify?: number
}

export interface RunToolRequest {
  readonly turnId: string
  readonly callId: string
  readonly seq: number
  /** Digest of the last result of the same call: the same again is told as "unchanged". */
  readonly unchangedIf?: string
  /** Identical calls of this Step that get the same result. */
  readonly sharedBy?: readonly string[]
  /** Undecided, it is denied for this cause. */
  readonly deny?: DenialCause
}

export type RunToolAnswer =
  | {
      readonly kind: ReceiptKind
      readonly digest?: string
      readonly seq: number
      /** The human asked for a new plan. */
      readonly replan?: true
    }
  | WaitingAnswer
  | { readonly kind: 'turn-closed' }
  | { readonly kind: 'log-behind' }

/** The call waits for a human, or for the client that runs it. */
export interface WaitingAnswer {
  readonly kind: 'waiting'
  readonly seq: number
  /** Milliseconds from now. */
  readonly expiresInMs: number
  /** The client has it: nobody but the client and the time end it now. */
  readonly given?: true
  /** How many want to be told; absent when nobody does. */
  readonly notify?: number
}

export interface RequestApprovalRequest {
  readonly turnId: string
  readonly callId: string
  readonly seq: number
  /** What the workflow has decided of other calls. */
  readonly receipts?: readonly DecidedReceipt[]
}

export type RequestApprovalAnswer =
  | WaitingAnswer
  | { readonly kind: 'turn-closed' }
  | { readonly kind: 'log-behind' }

export interface CloseTurnRequest {
  readonly turnId: string
  readonly turn: number
  readonly reason: EndReason
  readonly code?: string
  readonly scope?: 'session'
  /** The last `seq` that the workflow has heard of. */
  readonly seq?: number
  readonly receipts?: readonly DecidedReceipt[]
  /** Inputs that a stop withdraws, unless they were claimed. */
  readonly withdraw?: readonly QueuedInput[]
  readonly refused?: readonly RefusedInput[]
  /** Inputs that were offered to an activity whose answer never came. */
  readonly offered?: readonly string[]
}

/** How the Turn ended by its log, which may be other than what was asked for. */
export interface CloseTurnAnswer {
  readonly reason: EndReason
  readonly code?: string
  readonly recorded: Recorded
  /** How many want to be told; absent when nobody does. */
  readonly notify?: number
}

/** What somebody is told of. */
export type Occasion = { readonly kind: 'approval'; readonly callId: string } | { readonly kind: 'end' }

/** Tells those who asked for it with the inputs of a Turn. */
export interface NotifyRequest {
  readonly session: SessionKey
  readonly turnId: string
  readonly occasion: Occasion
}

/** Which of those who want to be told, from 0. */
export type DeliverRequest = NotifyRequest & { readonly target: number }

export interface TurnActivities {
  openTurn(request: OpenTurnRequest): Promise<OpenTurnAnswer>
  continueTurn(request: ContinueTurnRequest): Promise<void>
  callModel(request: CallModelRequest): Promise<CallModelAnswer>
  judgeInputs(request: JudgeInputsRequest): Promise<JudgeInputsAnswer>
  judgeOutput(request: JudgeOutputRequest): Promise<JudgeOutputAnswer>
  requestApproval(request: RequestApprovalRequest): Promise<RequestApprovalAnswer>
  runTool(request: RunToolRequest): Promise<RunToolAnswer>
  closeTurn(request: CloseTurnRequest): Promise<CloseTurnAnswer>
  notify(request: DeliverRequest): Promise<void>
}
