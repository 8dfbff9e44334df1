/**
 * A message as Chat Completions wants it, as JSON text.
 *
 * Texts are serialized once per message object: a conversation that grows by a message costs that message.
 */

import { createHash } from 'node:crypto'
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions'
import type { AssistantMessage, Content, ContentPart, Message, ToolCall } from '../core/message.ts'
import type { Dialect } from './dialect.ts'
import { isJsonObject } from './split-json-objects.ts'
import { sendable, sendableJson } from './well-formed.ts'

/** What becomes of a message's reasoning: left out, sent, or a blank sent in its place. */
export type ReasoningVariant = 'none' | 'own' | 'blank'

/** The field that providers which demand reasoning look for. */
const DEMANDED_FIELD = 'reasoning_content'
/** Some refuse an empty string, too: https://github.com/NousResearch/hermes-agent/pull/17341 */
const BLANK_REASONING = ' '
/** Stands for content that is empty, which strict providers refuse. */
const EMPTY_CONTENT = '(empty)'
const NAME_CHARACTERS = 64

/** Google's word for a signature that is not at hand: https://ai.google.dev/gemini-api/docs/thought-signatures */
const SIGNATURE_PLACEHOLDER = { google: { thought_signature: 'skip_thought_signature_validator' } }

/** How a message is written. The dialect is compared by identity. */
export interface MessageStyle {
  readonly dialect: Dialect
  readonly reasoning: ReasoningVariant
}

const serialized = new WeakMap<Message, MessageStyle & { readonly json: string }>()

/** The message as JSON text; the same text for the same message and style. */
export function serializeMessage(message: Message, style: MessageStyle): string {
  const known = serialized.get(message)
  if (known?.reasoning === style.reasoning && known.dialect === style.dialect) return known.json
  const json = JSON.stringify(toParam(message, style))
  serialized.set(message, { ...style, json })
  return json
}

function toParam(message: Message, style: MessageStyle): ChatCompletionMessageParam {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: toContent(message.content) }
    case 'assistant':
      return toAssistant(message, style)
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: toCallId(message.callId, style.dialect),
        content: sendable(message.content) || EMPTY_CONTENT,
      }
  }
}

function toAssistant(
  message: AssistantMessage,
  { dialect, reasoning: variant }: MessageStyle,
): ChatCompletionAssistantMessageParam {
  const reasoning = reasoningOf(message, variant)
  const text = message.text.trim() === '' ? '' : sendable(message.text)
  const calls = message.calls.map((call, index) => toCall(call, index, dialect))
  return {
    role: 'assistant',
    // DeepSeek refuses null beside reasoning: https://github.com/can1357/oh-my-pi/pull/788
    content: text === '' && reasoning === undefined ? null : text,
    ...reasoning,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function reasoningOf(
  { reasoning }: AssistantMessage,
  variant: ReasoningVariant,
): Record<string, string> | undefined {
  if (variant === 'blank') return { [DEMANDED_FIELD]: BLANK_REASONING }
  if (variant === 'none' || reasoning === undefined) return undefined
  // A field of another meaning is not overwritten: where reasoning came as a part of the content, it is dropped.
  return reasoning.field === 'content' ? undefined : { [reasoning.field]: sendable(reasoning.text) }
}

function toCall(call: ToolCall, index: number, dialect: Dialect): ChatCompletionMessageToolCall {
  const isSigned = dialect.thoughtSignatures === 'placeholder' && index === 0
  return {
    id: toCallId(call.callId, dialect),
    type: 'function',
    function: { name: toFunctionName(call.tool), arguments: toArguments(call.arguments) },
    ...(isSigned ? { extra_content: SIGNATURE_PLACEHOLDER } : {}),
  }
}

/** Nine characters are 46 bits of a digest: two ids of one request do not meet. */
function toCallId(callId: string, { callIds }: Dialect): string {
  if (callIds === 'ours') return callId
  const digest = createHash('sha256').update(callId).digest('hex').slice(0, 15)
  return BigInt(`0x${digest}`).toString(36).padStart(9, '0').slice(-9)
}

/** A name that the model made up may have characters that the provider does not take back. */
function toFunctionName(tool: string): string {
  return tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_CHARACTERS) || 'unnamed'
}

/** Providers want an object; what is none is shown to the model inside one. */
function toArguments(text: string): string {
  if (text.trim() === '') return '{}'
  return isJsonObject(text) ? sendableJson(text) : JSON.stringify({ malformed_arguments: sendable(text) })
}

function toContent(content: Content): string | ChatCompletionContentPart[] {
  if (typeof content === 'string') return sendable(content) || EMPTY_CONTENT
  const parts = content.filter((part) => part.type !== 'text' || part.text !== '').map(toPart)
  return parts.length === 0 ? EMPTY_CONTENT : parts
}

/** Files go as data or by the id of an upload. The API takes no address of a file: the model is told it instead. */
function toPart(part: ContentPart): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: sendable(part.text) }
  if (part.type === 'image') return { type: 'image_url', image_url: { url: part.ref } }
  if (part.ref.startsWith('data:')) {
    return { type: 'file', file: { file_data: part.ref, filename: part.name ?? 'file' } }
  }
  if (/^https?:/.test(part.ref))
    return { type: 'text', text: sendable(`[file ${part.name ?? ''}: ${part.ref}]`) }
  return { type: 'file', file: { file_id: part.ref } }
}
