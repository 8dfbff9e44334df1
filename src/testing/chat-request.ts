/**
 * A Chat Completions request as a client sent it, once `findViolations` has found nothing wrong with it.
 */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly [field: string]: unknown
}

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: string | readonly ChatContentPart[] | null
  readonly tool_calls?: readonly ChatToolCall[]
  readonly tool_call_id?: string
  readonly [field: string]: unknown
}

export interface ChatContentPart {
  readonly type: string
  readonly text?: string
  readonly [field: string]: unknown
}

export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters?: Readonly<Record<string, unknown>>
  }
}

/** The plain text of a message, parts that are not text left out. */
export function chatText(message: ChatMessage): string {
  const { content } = message
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return content.map((part) => part.text ?? '').join('')
}

/** The text of the first user message: what a script that serves several conversations tells them apart by. */
export function openingText(request: ChatRequest): string {
  const first = request.messages.find((message) => message.role === 'user')
  return first === undefined ? '' : chatText(first)
}
