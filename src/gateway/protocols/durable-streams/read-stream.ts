/**
 * Reading a stream: catch-up, long-poll, Server-Sent Events.
 *
 * 1. Offsets only move forward, and what is read from one never changes.
 * 2. Every data event is followed by a control event that says where to go on.
 * 3. The tail of a closed stream says so, and nothing waits there.
 */
import { bodyOf, dataEventOf, eventOf, framingOf } from './framing.ts'
import { cursorAt, offsetOf, parseOffset } from './position.ts'
import type { StreamHead, StreamPage, StreamSource } from './stream-source.ts'

export interface StreamRequest {
  readonly method: 'GET' | 'HEAD'
  readonly query: URLSearchParams
  readonly ifNoneMatch?: string
}

export interface ReadSettings {
  readonly longPollMs: number
  /** After which an event stream ends, so that its reader comes again. */
  readonly sseMs: number
  readonly nowMs: () => number
  /** From 0 to 1. */
  readonly chance: () => number
}

/** An answer; `frames` for an event stream, which is written elsewhere. */
export interface StreamAnswer {
  readonly status: 200 | 204 | 304 | 400 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** What is wrong with the request. */
  readonly problem?: string
  readonly frames?: (signal: AbortSignal) => AsyncGenerator<string>
}

const SECURITY = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }

export class StreamReader {
  readonly #source: StreamSource
  readonly #settings: ReadSettings

  constructor(source: StreamSource, settings: ReadSettings) {
    this.#source = source
    this.#settings = settings
  }

  async answer(request: StreamRequest, signal: AbortSignal): Promise<StreamAnswer> {
    const head = await this.#source.head()
    if (head === undefined) return refuse(404, 'There is no such stream.')
    if (request.method === 'HEAD')
      return { status: 200, headers: { ...headersOf(head, head.tail), 'cache-control': 'no-store' } }
    const { query } = request
    const live = query.get('live')
    const offsets = query.getAll('offset')
    if (offsets.length > 1) return refuse(400, 'There is more than one offset.')
    if (live !== null && offsets.length === 0) return refuse(400, 'A live read needs an offset.')
    const from = parseOffset(offsets[0] ?? '-1')
    if (from === undefined) return refuse(400, 'The offset is none of this stream.')
    const after = from === 'now' ? head.tail : Math.min(from, head.tail)
    if (live === 'sse') return this.#eventStream(head, after, query.get('cursor') ?? undefined)
    if (live === 'long-poll') return this.#poll(after, query.get('cursor') ?? undefined, signal)
    if (live !== null) return refuse(400, 'live is long-poll or sse.')
    return from === 'now' ? atTail(head) : this.#catchUp(after, request.ifNoneMatch)
  }

  async #catchUp(after: number, ifNoneMatch: string | undefined): Promise<StreamAnswer> {
    const page = await this.#source.page(after)
    const etag = etagOf(after, page)
    const headers = { ...pageHeaders(page), etag, 'cache-control': 'private, no-cache' }
    return ifNoneMatch === etag ? { status: 304, headers } : { status: 200, headers, body: pageBody(page) }
  }

  async #poll(after: number, theirs: string | undefined, signal: AbortSignal): Promise<StreamAnswer> {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(this.#settings.longPollMs)])
    let page = await this.#source.page(after)
    while (page.messages.length === 0 && !page.head.isClosed && !timeout.aborted) {
      await this.#source.changed(after, timeout)
      page = await this.#source.page(after)
    }
    const headers = {
      ...pageHeaders(page),
      'stream-cursor': this.#cursor(theirs),
      'cache-control': 'private, no-cache',
    }
    return page.messages.length === 0
      ? { status: 204, headers }
      : { status: 200, headers: { ...headers, etag: etagOf(after, page) }, body: pageBody(page) }
  }

  #eventStream(head: StreamHead, after: number, theirs: string | undefined): StreamAnswer {
    const encoding = framingOf(head.contentType) === 'base64' ? { 'stream-sse-data-encoding': 'base64' } : {}
    return {
      status: 200,
      headers: { ...SECURITY, ...encoding, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
      frames: (signal) => this.#frames(after, theirs, signal),
    }
  }

  async *#frames(after: number, theirs: string | undefined, gone: AbortSignal): AsyncGenerator<string> {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(this.#settings.sseMs)])
    let position = after
    let isTold = false
    while (!signal.aborted) {
      const page = await this.#source.page(position)
      const { messages, next, head } = page
      const isClosed = head.isClosed && next === head.tail
      if (messages.length > 0 || isClosed || !isTold) {
        const data = messages.length === 0 ? '' : dataEventOf(messages, framingOf(head.contentType))
        yield data + eventOf('control', JSON.stringify(this.#control(page, isClosed, theirs)))
        isTold = true
      }
      if (isClosed) return
      position = next
      if (next === head.tail) await this.#source.changed(position, signal)
    }
  }

  #control({ next, head }: StreamPage, isClosed: boolean, theirs: string | undefined): object {
    return {
      streamNextOffset: offsetOf(next),
      ...(isClosed ? { streamClosed: true } : { streamCursor: this.#cursor(theirs) }),
      ...(next === head.tail ? { upToDate: true } : {}),
    }
  }

  #cursor(theirs: string | undefined): string {
    return cursorAt(this.#settings.nowMs(), theirs, this.#settings.chance())
  }
}

function refuse(status: 400 | 404, problem: string): StreamAnswer {
  return { status, headers: { ...SECURITY, 'cache-control': 'no-store' }, problem }
}

function atTail(head: StreamHead): StreamAnswer {
  const headers = { ...headersOf(head, head.tail), 'stream-up-to-date': 'true', 'cache-control': 'no-store' }
  return { status: 200, headers, body: bodyOf([], framingOf(head.contentType)) }
}

function headersOf(head: StreamHead, next: number): Readonly<Record<string, string>> {
  return {
    ...SECURITY,
    'content-type': head.contentType,
    'stream-next-offset': offsetOf(next),
    ...(head.isClosed && next === head.tail ? { 'stream-closed': 'true' } : {}),
  }
}

function pageHeaders({ next, head }: StreamPage): Readonly<Record<string, string>> {
  return { ...headersOf(head, next), ...(next === head.tail ? { 'stream-up-to-date': 'true' } : {}) }
}

function pageBody({ messages, head }: StreamPage): Uint8Array<ArrayBuffer> {
  return bodyOf(messages, framingOf(head.contentType))
}

/** What stands between two offsets never changes; whether more follows does. */
function etagOf(after: number, { next, head }: StreamPage): string {
  return `"${after}-${next}${next === head.tail ? (head.isClosed ? '-closed' : '-tail') : ''}"`
}
