/**
 * Turns a scripted reply into the chunks of a Chat Completions stream, or into one whole completion.
 */
import type { ChatRequest } from './chat-request.ts'
import type { ScriptedCall, ScriptedReply } from './scripted-answer.ts'

/** What the server adds to a reply. */
export interface ReplyIdentity {
  /** Unique on this server, and the base of its call ids. */
  readonly number: number
  readonly request: ChatRequest
}

const DEFAULT_CHUNK_CHARACTERS = 24

/** Pieces of at most so many UTF-16 units, never cut inside a code point. */
export function splitText(text: string, characters: number): readonly string[] {
  const pieces: string[] = []
  let from = 0
  while (from < text.length) {
    let to = Math.min(from + Math.max(1, characters), text.length)
    const unit = text.charCodeAt(to - 1)
    if (unit >= 0xd800 && unit <= 0xdbff && to < text.length) to += 1
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

function piecesOf(text: string | readonly string[] | undefined, characters: number): readonly string[] {
  if (text === undefined) return []
  return typeof text === 'string' ? splitText(text, characters) : text
}

function whole(text: string | readonly string[] | undefined): string {
  return text === undefined ? '' : typeof text === 'string' ? text : text.join('')
}

export function callIdOnWire(call: ScriptedCall, index: number, identity: ReplyIdentity): string {
  return call.id ?? `call_${identity.number}_${index}`
}

export function argumentsText(call: ScriptedCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
}

/** The deltas of a reply that carry content, in order: what interruptions count. */
export function contentDeltas(
  reply: ScriptedReply,
  identity: ReplyIdentity,
): readonly Record<string, unknown>[] {
  const characters = reply.chunkCharacters ?? DEFAULT_CHUNK_CHARACTERS
  const field = reply.reasoningField ?? 'reasoning_content'
  const deltas: Record<string, unknown>[] = []
  for (const piece of piecesOf(reply.reasoning, characters)) deltas.push({ [field]: piece })
  for (const piece of piecesOf(reply.text, characters)) deltas.push({ content: piece })
  for (const piece of piecesOf(reply.refusal, characters)) deltas.push({ refusal: piece })
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const id = callIdOnWire(call, index, identity)
    deltas.push({
      tool_calls: [{ index, id, type: 'function', function: { name: call.tool, arguments: '' } }],
    })
    for (const piece of splitText(argumentsText(call), characters)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  const [first, ...rest] = deltas
  return first === undefined ? [] : [{ role: 'assistant', ...first }, ...rest]
}

export function finishOf(reply: ScriptedReply): string | null {
  if (reply.finish !== undefined) return reply.finish
  return (reply.calls ?? []).length > 0 ? 'tool_calls' : 'stop'
}

/** Usage in the provider's shape, or undefined when the reply reports none. */
export function usageOf(
  reply: ScriptedReply,
  requestCharacters: number,
): Record<string, unknown> | undefined {
  if (reply.usage === null) return undefined
  const spoken = [whole(reply.reasoning), whole(reply.text), ...(reply.calls ?? []).map(argumentsText)].join(
    '',
  )
  const usage = reply.usage ?? {
    inputTokens: Math.ceil(requestCharacters / 4),
    outputTokens: Math.ceil(spoken.length / 4),
  }
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...(usage.cachedInputTokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: usage.cachedInputTokens } }),
    ...(usage.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: usage.reasoningTokens } }),
  }
}

/** Fields that every chunk of a reply has. */
export function chunkFrame(reply: ScriptedReply, identity: ReplyIdentity): Record<string, unknown> {
  return {
    id: `chatcmpl-${identity.number}`,
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1_000),
    model: reply.model ?? identity.request.model,
  }
}

/** The reply as the answer to a request that does not stream. */
export function wholeCompletion(
  reply: ScriptedReply,
  identity: ReplyIdentity,
  usage: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const text = whole(reply.text)
  const calls = (reply.calls ?? []).map((call, index) => ({
    id: callIdOnWire(call, index, identity),
    type: 'function',
    function: { name: call.tool, arguments: argumentsText(call) },
  }))
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal: reply.refusal ?? null,
    ...(reply.reasoning === undefined
      ? {}
      : { [reply.reasoningField ?? 'reasoning_content']: whole(reply.reasoning) }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  return {
    ...chunkFrame(reply, identity),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishOf(reply), logprobs: null }],
    ...(usage === undefined ? {} : { usage }),
  }
}
