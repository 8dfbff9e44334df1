/**
 * Events of AG-UI 1.0, as far as we send them.
 */

export interface RunToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message of the protocol; of those that came with the request no more is known than this. */
export interface RunMessage {
  readonly id: string
  readonly role: string
  readonly content?: unknown
  readonly toolCalls?: readonly RunToolCall[]
  readonly toolCallId?: string | undefined
}

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
}

/** What a run awaits: a decision on one call, or on a text that a guardrail holds. */
export interface Interrupt {
  /** Names the call and the arguments that the human sees. */
  readonly id: string
  readonly reason: 'tool_call' | 'text'
  readonly message: string
  /** Set for a call. */
  readonly toolCallId?: string
  readonly responseSchema: Readonly<Record<string, unknown>>
  readonly expiresAt: string
  readonly metadata: Readonly<Record<string, unknown>>
}

export type RunOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly Interrupt[] }
  | { readonly type: 'cancelled' }

interface Place {
  readonly threadId: string
  readonly runId: string
}

interface OfMessage {
  readonly messageId: string
}

interface OfToolCall {
  readonly toolCallId: string
}

type Metadata = Readonly<Record<string, unknown>>

export type AgUiEvent =
  | ({ readonly type: 'RUN_STARTED' } & Place)
  | ({
      readonly type: 'RUN_FINISHED'
      readonly outcome: RunOutcome
      readonly result?: Metadata
      readonly usage?: readonly TokenUsage[]
    } & Place)
  | {
      readonly type: 'RUN_ERROR'
      readonly message: string
      readonly code: string
      readonly usage?: readonly TokenUsage[]
    }
  | { readonly type: 'STEP_STARTED' | 'STEP_FINISHED'; readonly stepName: string }
  | ({ readonly type: 'TEXT_MESSAGE_START'; readonly role: 'assistant' } & OfMessage)
  | ({
      readonly type: 'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT'
      readonly delta: string
    } & OfMessage)
  | ({
      readonly type: 'TEXT_MESSAGE_END' | 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END'
    } & OfMessage)
  | ({ readonly type: 'REASONING_MESSAGE_START'; readonly role: 'reasoning' } & OfMessage)
  | ({
      readonly type: 'TOOL_CALL_START'
      readonly toolCallName: string
      readonly parentMessageId: string
    } & OfToolCall)
  | ({ readonly type: 'TOOL_CALL_ARGS'; readonly delta: string } & OfToolCall)
  | ({ readonly type: 'TOOL_CALL_END' } & OfToolCall)
  | ({
      readonly type: 'TOOL_CALL_RESULT'
      readonly role: 'tool'
      readonly content: string
      readonly metadata: Metadata
    } & OfToolCall &
      OfMessage)
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: Metadata }
  | {
      readonly type: 'STATE_DELTA'
      readonly delta: readonly { readonly op: 'add'; readonly path: string; readonly value: unknown }[]
    }
  | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly RunMessage[] }
  | { readonly type: 'CUSTOM'; readonly name: `turnstep.${string}`; readonly value: unknown }
