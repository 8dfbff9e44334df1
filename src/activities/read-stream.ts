/**
 * Reading what a tool returned as a stream: an async iterable of texts or bytes, such as a Node.js `Readable`, or a
 * web `ReadableStream`.
 */
import type { ResultText } from '../core/result-text.ts'
import { Breather } from './breather.ts'

export type OutputStream = AsyncIterable<unknown> | { getReader(): StreamReader }

interface StreamReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(): Promise<unknown>
}

interface Source {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>
  return?(): Promise<unknown>
}

/** Items are looked at in pieces of this size, in bytes or UTF-16 units. */
const PIECE = 16 * 1024

export function isStream(value: unknown): value is OutputStream {
  if (typeof value !== 'object' || value === null) return false
  try {
    return Symbol.asyncIterator in value || ('getReader' in value && typeof value.getReader === 'function')
  } catch {
    return false
  }
}

/**
 * Reads a stream to its end. Bytes are UTF-8; those that are not become U+FFFD. Fails with what the stream fails
 * with, and at once with the signal's reason when that is aborted; the stream is let go then.
 */
export async function readStream(stream: OutputStream, text: ResultText, signal: AbortSignal): Promise<void> {
  const source = sourceOf(stream)
  const breather = new Breather()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await untilAborted(source.next(), signal)
      if (done === true) break
      // Also where an item holds nothing: a stream of such items would never let anything else go.
      await breather.breathe()
      for (const piece of piecesOf(value, decoder)) {
        await text.write(piece.text, piece.bytes)
        await breather.breathe()
        signal.throwIfAborted()
      }
    }
    await text.write(decoder.decode(), 0)
  } catch (error) {
    letGo(source)
    throw error
  }
}

function sourceOf(stream: OutputStream): Source {
  if (Symbol.asyncIterator in stream) return stream[Symbol.asyncIterator]() as Source
  const reader = stream.getReader()
  return { next: () => reader.read(), return: () => reader.cancel() }
}

interface Piece {
  readonly text: string
  /** What it was before it was decoded; undefined for text. */
  readonly bytes?: number
}

function* piecesOf(item: unknown, decoder: InstanceType<typeof TextDecoder>): Generator<Piece> {
  if (typeof item === 'string') {
    // Bytes of half a character before a text stay half a character.
    yield { text: decoder.decode(), bytes: 0 }
    for (let at = 0; at < item.length; at += PIECE) yield { text: item.slice(at, at + PIECE) }
    return
  }
  const bytes = item instanceof ArrayBuffer ? new Uint8Array(item) : item
  if (!(bytes instanceof Uint8Array)) throw new StreamItemError(item)
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE)
    yield { text: decoder.decode(piece, { stream: true }), bytes: piece.length }
  }
}

/** The tool's stream has something in it that is no output. */
class StreamItemError extends Error {
  override readonly name = 'StreamItemError'

  constructor(item: unknown) {
    super(`The stream that the tool returned has a ${typeof item} in it, not text or bytes.`)
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Tells a source that nothing more is read. What it says to that does not matter any more. */
function letGo(source: Source): void {
  try {
    source.return?.().catch(() => undefined)
  } catch {
    // A source that cannot even be told.
  }
}
