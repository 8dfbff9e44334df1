/**
 * What a scripted model server answers: replies and faults, as plain data.
 */
import type { Gate } from './gate.ts'

/** A tool call in a reply. `arguments` that is not a string is sent as JSON. */
export interface ScriptedCall {
  readonly tool: string
  readonly arguments?: unknown
  /** Default: an id that is unique on this server. */
  readonly id?: string
}

export interface ScriptedUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
}

/** What happens once so many content chunks of a reply have been sent (0: before the first). */
export type ScriptedInterruption =
  /** Goes on when the test opens the gate, or ends when the client leaves. */
  | { readonly kind: 'hold'; readonly afterChunks: number; readonly until: Gate }
  /** Destroys the connection. */
  | { readonly kind: 'cut'; readonly afterChunks: number }
  /** Sends nothing more until the client leaves. */
  | { readonly kind: 'hang'; readonly afterChunks: number }
  /** Sends this line instead of what was due, and closes. Default: a chunk that is not JSON. */
  | { readonly kind: 'malformed'; readonly afterChunks: number; readonly line?: string }

/** A streamed answer. Chunks are sent in this order: reasoning, text, refusal, calls; then finish, usage, `[DONE]`. */
export interface ScriptedReply {
  readonly kind?: 'reply'
  /** Text that is cut into chunks, or the chunks themselves. */
  readonly text?: string | readonly string[]
  readonly reasoning?: string | readonly string[]
  /** Default `reasoning_content`. */
  readonly reasoningField?: string
  readonly refusal?: string
  readonly calls?: readonly ScriptedCall[]
  /** Default `tool_calls` when there are calls, else `stop`. Null: none is sent. */
  readonly finish?: string | null
  /** Default: an estimate by length. Null: no usage chunk, as some servers have it. */
  readonly usage?: ScriptedUsage | null
  /** Default: the model that was asked for. */
  readonly model?: string
  /** Characters a chunk, default 24, cut at code points. */
  readonly chunkCharacters?: number
  readonly interruptions?: readonly ScriptedInterruption[]
}

/** An answer that is not 200. */
export interface ScriptedStatus {
  readonly kind: 'status'
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Default: an OpenAI-shaped error. A string is sent as it is. */
  readonly body?: unknown
}

/** Never answers, not even with headers. */
export interface ScriptedHang {
  readonly kind: 'hang'
  /** When the test opens it, the connection is destroyed. */
  readonly until?: Gate
}

/** Bytes of an event stream, sent as they are, one write each; then the stream is closed. */
export interface ScriptedRaw {
  readonly kind: 'raw'
  readonly pieces: readonly (string | Uint8Array)[]
  /** Default `text/event-stream`. */
  readonly contentType?: string
  /** Default `close`: a clean end. `cut`: the connection is destroyed. */
  readonly end?: 'close' | 'cut'
}

export type ScriptedAnswer = ScriptedReply | ScriptedStatus | ScriptedHang | ScriptedRaw

/** A reply of text, which ends the Turn. */
export function say(text: string | readonly string[], more: Omit<ScriptedReply, 'text'> = {}): ScriptedReply {
  return { ...more, text }
}

/** A reply that calls tools. */
export function callTools(...calls: readonly ScriptedCall[]): ScriptedReply {
  return { calls }
}

/** A 429, with Retry-After in seconds if one is given. */
export function rateLimited(retryAfterSeconds?: number): ScriptedStatus {
  return {
    kind: 'status',
    status: 429,
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
    body: {
      error: { message: 'Rate limit reached.', type: 'requests', param: null, code: 'rate_limit_exceeded' },
    },
  }
}

/** A failure of the server, 500 unless another status is given. */
export function serverError(status = 500): ScriptedStatus {
  return { kind: 'status', status }
}

/** A reply whose connection is destroyed after so many chunks. */
export function cutAfter(chunks: number, reply: ScriptedReply): ScriptedReply {
  return { ...reply, interruptions: [...(reply.interruptions ?? []), { kind: 'cut', afterChunks: chunks }] }
}

/** A reply that stops after so many chunks, until the client leaves. */
export function hangAfter(chunks: number, reply: ScriptedReply): ScriptedReply {
  return { ...reply, interruptions: [...(reply.interruptions ?? []), { kind: 'hang', afterChunks: chunks }] }
}

/** A reply that waits for the gate after so many chunks. */
export function holdAfter(chunks: number, until: Gate, reply: ScriptedReply): ScriptedReply {
  return {
    ...reply,
    interruptions: [...(reply.interruptions ?? []), { kind: 'hold', afterChunks: chunks, until }],
  }
}

/** A reply whose first token waits for the gate; its headers have been sent. */
export function holdBeforeFirstToken(until: Gate, reply: ScriptedReply): ScriptedReply {
  return holdAfter(0, until, reply)
}

/** A reply with a chunk that is not JSON after so many good ones. */
export function malformedAfter(chunks: number, reply: ScriptedReply): ScriptedReply {
  return {
    ...reply,
    interruptions: [...(reply.interruptions ?? []), { kind: 'malformed', afterChunks: chunks }],
  }
}

/** No answer at all, until the client leaves or the gate opens. */
export function hang(until?: Gate): ScriptedHang {
  return until === undefined ? { kind: 'hang' } : { kind: 'hang', until }
}

/** Raw lines of an event stream: each `data` payload becomes an event, strings as they are, all else as JSON. */
export function rawEvents(...data: readonly unknown[]): ScriptedRaw {
  return {
    kind: 'raw',
    pieces: data.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`),
  }
}
