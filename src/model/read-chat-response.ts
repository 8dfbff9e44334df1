/**
 * Reads the HTTP answer to a chat request, to its end or to `[DONE]`.
 */
import { TurnstepError } from '../core/errors.ts'
import type { ModelResponse } from '../core/ports.ts'
import { type AssemblerOptions, ResponseAssembler } from './assemble-response.ts'
import { isRecord, parseJson } from './json.ts'
import { type ErrorContext, mapProviderError, mapStreamError } from './map-provider-error.ts'
import { type StreamItem, StreamReader } from './read-event-stream.ts'

export interface ReadOptions extends AssemblerOptions {
  readonly context: ErrorContext
}

/**
 * Fails with a `TurnstepError`, and with whatever `onDelta` throws. A connection that breaks after the answer has
 * said how it ends is no failure: the answer is whole.
 */
export async function readChatResponse(response: Response, options: ReadOptions): Promise<ModelResponse> {
  const assembler = new ResponseAssembler(options)
  const stream = new StreamReader()
  const body = response.body?.getReader()
  if (body === undefined) throw protocolError(options, 'an empty answer')
  let isDrained = false
  try {
    for (;;) {
      const piece = await body.read().catch((error: unknown) => {
        if (assembler.hasFinish) return { done: true, value: undefined } as const
        throw mapProviderError(error, options.context)
      })
      isDrained = piece.done
      for (const item of piece.done ? stream.end() : stream.push(piece.value)) {
        if (!take(item, assembler, options, piece.done)) continue
        isDrained = true
        void drain(body)
        return complete(assembler, options)
      }
      if (piece.done) return complete(assembler, options)
    }
  } finally {
    if (!isDrained) void body.cancel().catch(() => undefined)
  }
}

/** True at `[DONE]`. */
function take(item: StreamItem, assembler: ResponseAssembler, options: ReadOptions, atEnd: boolean): boolean {
  const text = item.kind === 'event' ? item.data : item.text
  if (item.kind === 'event' && text.trim().startsWith('[DONE]')) return true
  if (text.trim() === '') return false
  const chunk = parseJson(text)
  if (isError(chunk, item)) throw mapStreamError(chunk ?? text, options.context)
  if (assembler.add(chunk)) return false
  if (chunk === undefined && item.kind === 'event' && atEnd) {
    // Half a chunk at the very end: the connection broke, which harms only an answer that had not ended.
    if (assembler.hasFinish) return false
    throw cutError(options)
  }
  throw protocolError(options, chunk === undefined ? 'something that is not JSON' : 'JSON of another shape')
}

function isError(chunk: unknown, item: StreamItem): boolean {
  if (item.kind === 'event' && item.name === 'error') return true
  if (!isRecord(chunk)) return false
  const { error } = chunk
  const isSaid = isRecord(error) ? Object.keys(error).length > 0 : typeof error === 'string' && error !== ''
  return isSaid || chunk['object'] === 'error'
}

function complete(assembler: ResponseAssembler, options: ReadOptions): ModelResponse {
  if (assembler.wasInterrupted) throw cutError(options)
  if (assembler.isUntouched) throw protocolError(options, 'an empty answer')
  return assembler.finish()
}

function cutError({ context }: ReadOptions): TurnstepError {
  return new TurnstepError(
    'provider-unavailable',
    `The model provider at ${context.host} broke off in the middle of its answer. Try again later.`,
  )
}

function protocolError({ context }: ReadOptions, what: string): TurnstepError {
  return new TurnstepError(
    'provider-protocol',
    `The model provider at ${context.host} sent ${what} where a Chat Completions answer was due. Check that the base URL is that of an OpenAI-compatible API.`,
  )
}

const DRAIN_MS = 1_000

/** Reads what follows `[DONE]`, so that the connection can be used again; gives up on a server that keeps it open. */
async function drain(body: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void body.cancel().catch(() => undefined), DRAIN_MS)
  timer.unref()
  try {
    while (!(await body.read()).done);
  } catch {
    // The answer is complete; what becomes of the connection is of no interest.
  } finally {
    clearTimeout(timer)
  }
}
