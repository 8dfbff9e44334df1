/**
 * Builds the body of a Chat Completions request.
 *
 * The body of a conversation that grew begins with the bytes of the body before, so that providers can reuse their
 * cache: fields stand in a fixed order, messages last, and a message serializes alike in every request.
 */
import type { AssistantMessage, Content, ContentPart, Message, ToolCall } from '../core/message.ts'
import type { ModelRequest, ModelToolDescription } from '../core/ports.ts'
import { isJsonObject } from './split-json-objects.ts'
import type { ReasoningReplay } from './reasoning-replay.ts'
import { sendable, sendableJson, sendableValue } from './well-formed.ts'

export interface ChatRequestOptions {
  readonly model: string
  readonly reasoningReplay: ReasoningReplay
  /** Further fields of the body. */
  readonly body?: Readonly<Record<string, unknown>>
}

const EMPTY_TEXT = '(empty)'

/** The body as JSON text. An assistant message without text and calls is left out: providers refuse it. */
export function buildChatRequest(request: ModelRequest, options: ChatRequestOptions): string {
  const messages: string[] = []
  if (request.instructions !== '') messages.push(JSON.stringify({ role: 'system', content: sendable(request.instructions) }))
  const loopStart = request.messages.findLastIndex(isFinal) + 1
  for (const [index, message] of request.messages.entries()) {
    if (isEmptyAssistant(message)) continue
    const withReasoning =
      options.reasoningReplay === 'always' || (options.reasoningReplay === 'within-turn' && index >= loopStart)
    messages.push(serialize(message, withReasoning))
  }
  const fields: Record<string, unknown> = {
    model: options.model,
    stream: true,
    stream_options: { include_usage: true },
    ...options.body,
    ...(request.tools.length > 0 ? { tools: request.tools.map(toTool) } : {}),
  }
  return `${JSON.stringify(fields).slice(0, -1)},"messages":[${messages.join(',')}]}`
}

/** A message that ended a Turn. What follows it is one loop of model and tools, steers included. */
function isFinal(message: Message): boolean {
  return message.role === 'assistant' && message.calls.length === 0
}

function isEmptyAssistant(message: Message): boolean {
  return message.role === 'assistant' && message.calls.length === 0 && message.text.trim() === ''
}

function serialize(message: Message, withReasoning: boolean): string {
  if (message.role === 'assistant') return JSON.stringify(toAssistant(message, withReasoning))
  if (message.role === 'user') return JSON.stringify({ role: 'user', content: toContent(message.content) })
  return JSON.stringify({
    role: 'tool',
    tool_call_id: message.callId,
    content: sendable(message.content) || EMPTY_TEXT,
  })
}

function toAssistant(message: AssistantMessage, withReasoning: boolean): Record<string, unknown> {
  const { reasoning } = message
  return {
    role: 'assistant',
    content: message.text.trim() === '' ? null : sendable(message.text),
    ...(withReasoning && reasoning !== undefined ? { [reasoning.field]: sendable(reasoning.text) } : {}),
    ...(message.calls.length > 0 ? { tool_calls: message.calls.map(toCall) } : {}),
  }
}

function toCall(call: ToolCall): Record<string, unknown> {
  return {
    id: call.callId,
    type: 'function',
    function: { name: toFunctionName(call.tool), arguments: toArguments(call.arguments) },
  }
}

/** A name that the model made up may have characters that the provider does not take back. */
function toFunctionName(tool: string): string {
  return tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}

/** Providers want an object; what is none is shown to the model inside one. */
function toArguments(text: string): string {
  if (text.trim() === '') return '{}'
  return isJsonObject(text) ? sendableJson(text) : JSON.stringify({ malformed_arguments: sendable(text) })
}

function toContent(content: Content): unknown {
  if (typeof content === 'string') return sendable(content) || EMPTY_TEXT
  const parts = content.filter((part) => part.type !== 'text' || part.text !== '').map(toPart)
  return parts.length === 0 ? EMPTY_TEXT : parts
}

function toPart(part: ContentPart): Record<string, unknown> {
  if (part.type === 'text') return { type: 'text', text: sendable(part.text) }
  if (part.type === 'image') return { type: 'image_url', image_url: { url: part.ref } }
  const file = part.ref.startsWith('data:')
    ? { file_data: part.ref, filename: part.name ?? 'file' }
    : { file_id: part.ref }
  return { type: 'file', file }
}

function toTool(tool: ModelToolDescription): Record<string, unknown> {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: sendable(tool.description),
      parameters: sendableValue(tool.parameters),
    },
  }
}
