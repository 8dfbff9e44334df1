/**
 * Chunks of the AI SDK's UI message stream, version 1, as far as we send them.
 */
import type { EndReason, HandBack } from '../../../core/event.ts'
import type { Usage } from '../../../core/usage.ts'

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

type Metadata = Readonly<Record<'turnstep', Readonly<Record<string, unknown>>>>

/** What the protocol has no word for. A part with the id of an earlier one of its type takes its place. */
export type DataChunk =
  /** What became of an input, other than the one that opened the Turn. */
  | {
      readonly type: 'data-turnstep-input'
      readonly id: string
      readonly data: {
        readonly inputId: string
        readonly fate: string
        readonly via?: string
        readonly reason?: string
      }
    }
  /** A text or reasoning part is void, the one whose `providerMetadata.turnstep.id` this is: an attempt started over. */
  | {
      readonly type: 'data-turnstep-void'
      readonly id: string
      readonly data: { readonly channel: 'text' | 'reasoning'; readonly id: string }
    }
  /** Who decided on a call. */
  | {
      readonly type: 'data-turnstep-decision'
      readonly id: string
      readonly data: {
        readonly callId: string
        readonly decision: string
        readonly by: string
        readonly cause?: string
        readonly note?: string
      }
    }
  /** A guardrail holds what the model said until a human has decided, by another way than this protocol. */
  | {
      readonly type: 'data-turnstep-held'
      readonly id: string
      readonly data: {
        readonly callId: string
        readonly guardrail: string
        readonly reason: string
        readonly digest: string
        readonly expiresAt: string
      }
    }
  /** Where the Turn stands. */
  | {
      readonly type: 'data-turnstep-status'
      readonly transient: true
      readonly data: { readonly phase: 'running' | 'waiting_human'; readonly step?: number }
    }
  /** How the Turn ended, and what it leaves. */
  | {
      readonly type: 'data-turnstep-end'
      readonly id: string
      readonly data: {
        readonly turnId: string
        readonly reason: EndReason
        readonly code?: string
        readonly scope?: 'session'
        readonly handBack?: HandBack
        readonly usage: Usage
        readonly cost: number | null
      }
    }

export type UIMessageChunk =
  | { readonly type: 'start'; readonly messageId: string; readonly messageMetadata: Metadata }
  | { readonly type: 'start-step' }
  | { readonly type: 'finish-step' }
  | {
      readonly type: 'text-start' | 'reasoning-start' | 'text-end' | 'reasoning-end'
      readonly id: string
      readonly providerMetadata?: Metadata
    }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool-input-start'
      readonly toolCallId: string
      readonly toolName: string
      readonly providerExecuted: boolean
    }
  | {
      readonly type: 'tool-input-available'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      /** False for what the page is to run. */
      readonly providerExecuted: boolean
      readonly toolMetadata?: Metadata
    }
  | {
      readonly type: 'tool-input-error'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      readonly errorText: string
      readonly providerExecuted: boolean
    }
  | {
      readonly type: 'tool-approval-request'
      readonly approvalId: string
      readonly toolCallId: string
      readonly approvalDescriptor: unknown
    }
  | {
      readonly type: 'tool-output-available'
      readonly toolCallId: string
      readonly output: unknown
      readonly toolMetadata?: Metadata
    }
  | {
      readonly type: 'tool-output-error'
      readonly toolCallId: string
      readonly errorText: string
      readonly toolMetadata?: Metadata
    }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }
  | { readonly type: 'abort'; readonly reason: string }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'finish'; readonly finishReason: FinishReason; readonly messageMetadata: Metadata }
  | DataChunk
