/**
 * Builds the body of a Chat Completions request.
 *
 * The body of a conversation that grew begins with the bytes of the body before, so that providers can reuse their
 * cache: fields stand in a fixed order, messages last, and a message serializes alike in every request.
 */
import type {
  ChatCompletionFunctionTool,
  ChatCompletionSystemMessageParam,
} from 'openai/resources/chat/completions'
import type { AssistantMessage, Message } from '../core/message.ts'
import type { ModelRequest, ModelToolDescription } from '../core/ports.ts'
import type { Dialect } from './dialect.ts'
import type { ReasoningReplay } from './reasoning-replay.ts'
import { type ReasoningVariant, serializeMessage } from './serialize-message.ts'
import { sendable, sendableValue } from './well-formed.ts'

export interface ChatRequestOptions {
  readonly model: string
  /** The same object for all requests of a conversation: what is serialized is kept by it. */
  readonly dialect: Dialect
  /** Further fields of the body; they may replace any field but messages and tools. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

/** The body as JSON text. An assistant message without text and calls is left out: providers refuse it. */
export function buildChatRequest(request: ModelRequest, options: ChatRequestOptions): string {
  const messages = request.messages.filter((message) => !isEmptyAssistant(message))
  const { dialect } = options
  const reasoningOf = variantChooser(messages, dialect.reasoningReplay)
  const fields = {
    model: options.model,
    stream: true,
    stream_options: { include_usage: true },
    ...options.body,
    ...(request.tools.length > 0 ? { tools: request.tools.map(toTool) } : {}),
  }
  const serialized = messages.map((message, index) =>
    serializeMessage(message, { dialect, reasoning: reasoningOf(message, index) }),
  )
  const all = [...systemMessages(request.instructions), ...serialized].join(',')
  return `${JSON.stringify(fields).slice(0, -1)},"messages":[${all}]}`
}

function systemMessages(instructions: string): readonly string[] {
  if (instructions === '') return []
  const message: ChatCompletionSystemMessageParam = { role: 'system', content: sendable(instructions) }
  return [JSON.stringify(message)]
}

function isAssistant(message: Message): message is AssistantMessage {
  return message.role === 'assistant'
}

function isEmptyAssistant(message: Message): boolean {
  return isAssistant(message) && message.calls.length === 0 && message.text.trim() === ''
}

function variantChooser(
  messages: readonly Message[],
  replay: ReasoningReplay,
): (message: Message, index: number) => ReasoningVariant {
  if (replay === 'never') return () => 'none'
  // What follows the last message without calls is one loop of model and tools, steers included.
  const loopStart =
    replay === 'always'
      ? 0
      : messages.findLastIndex((message) => isAssistant(message) && message.calls.length === 0) + 1
  const hasReasoning =
    replay === 'always' && messages.some((message) => isAssistant(message) && message.reasoning !== undefined)
  return (message, index) => {
    if (!isAssistant(message) || index < loopStart) return 'none'
    if (message.reasoning !== undefined) return 'own'
    return hasReasoning && message.calls.length > 0 ? 'blank' : 'none'
  }
}

function toTool(tool: ModelToolDescription): ChatCompletionFunctionTool {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: sendable(tool.description),
      parameters: sendableValue(tool.parameters) as Record<string, unknown>,
    },
  }
}
