/**
 * Provider-neutral messages: what a log derives to, and what a model adapter sends.
 */
import type { ReceiptKind } from './receipt.ts'

/** A piece of a user's message. `ref` is a URL, a data URL, or a reference that the model adapter understands. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly ref: string; readonly mediaType?: string }
  | { readonly type: 'file'; readonly ref: string; readonly mediaType?: string; readonly name?: string }

export type Content = string | readonly ContentPart[]

/**
 * Reasoning that came with an assistant message. `field` is the response field it arrived in
 * (`reasoning_content`, say), because a provider that wants it back wants it under the same name.
 */
export interface Reasoning {
  readonly field: string
  readonly text: string
}

/** A call as the log keeps it. `arguments` is JSON text; what the model sent empty is stored as `{}`. */
export interface ToolCall {
  readonly callId: string
  readonly tool: string
  readonly arguments: string
  /** Set when a human has to approve the call before it runs. */
  readonly needsApproval?: true
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: Content
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly text: string
  readonly reasoning?: Reasoning
  readonly calls: readonly ToolCall[]
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly kind: ReceiptKind
  readonly isError: boolean
  readonly content: string
}

export type Message = UserMessage | AssistantMessage | ToolMessage

/** The plain text of a content, parts that are not text named in brackets. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
}

/** UTF-16 units of what a message says, for estimates of tokens. */
export function charactersOf(message: Message): number {
  if (message.role === 'user') return textOf(message.content).length
  if (message.role === 'tool') return message.content.length
  return (
    message.text.length +
    message.calls.reduce((sum, call) => sum + call.tool.length + call.arguments.length, 0)
  )
}
