/**
 * A server of streams in memory: what is written here is read by the product's reader. It writes just enough to give
 * the reader something to read.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { offsetOf } from '../../../../src/gateway/protocols/durable-streams/position.ts'
import { StreamReader } from '../../../../src/gateway/protocols/durable-streams/read-stream.ts'
import type {
  StreamHead,
  StreamSource,
} from '../../../../src/gateway/protocols/durable-streams/stream-source.ts'

const PAGE = 100

class MemoryStream implements StreamSource {
  readonly contentType: string
  #messages: Uint8Array[] = []
  #isClosed = false
  #waiting = new Set<() => void>()

  constructor(contentType: string) {
    this.contentType = contentType
  }

  /** Adds a body, one message for each value of a JSON array. */
  append(body: Uint8Array, isLast: boolean): void {
    this.#messages.push(...this.#split(body))
    this.#isClosed ||= isLast
    for (const wake of this.#waiting) wake()
  }

  get now(): StreamHead {
    return { contentType: this.contentType, tail: this.#messages.length, isClosed: this.#isClosed }
  }

  head(): Promise<StreamHead> {
    return Promise.resolve(this.now)
  }

  page(after: number) {
    const messages = this.#messages.slice(after, after + PAGE)
    return Promise.resolve({ messages, next: after + messages.length, head: this.now })
  }

  async changed(after: number, signal: AbortSignal): Promise<void> {
    if (this.#messages.length > after || this.#isClosed || signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal.addEventListener('abort', done)
    })
  }

  #split(body: Uint8Array): readonly Uint8Array[] {
    if (!this.contentType.toLowerCase().startsWith('application/json')) return body.length === 0 ? [] : [body]
    if (body.length === 0) return []
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return (Array.isArray(value) ? value : [value]).map((one) => Buffer.from(JSON.stringify(one)))
  }
}

export class SeedingServer {
  readonly #streams = new Map<string, MemoryStream>()
  readonly #server: Server
  readonly #longPollMs: number

  private constructor(longPollMs: number) {
    this.#longPollMs = longPollMs
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
  }

  static async start(longPollMs: number): Promise<SeedingServer> {
    const server = new SeedingServer(longPollMs)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const body = Buffer.concat(chunks)
    if (request.method === 'GET' || request.method === 'HEAD')
      return this.#read(request.method, url, request, response)
    if (request.method === 'PUT') return this.#create(url.pathname, body, request, response)
    if (request.method === 'POST') return this.#append(url.pathname, body, request, response)
    response.writeHead(this.#streams.delete(url.pathname) ? 204 : 404).end()
  }

  #create(path: string, body: Uint8Array, { headers }: IncomingMessage, response: ServerResponse): void {
    const isNew = !this.#streams.has(path)
    const stream =
      this.#streams.get(path) ?? new MemoryStream(headers['content-type'] ?? 'application/octet-stream')
    this.#streams.set(path, stream)
    if (isNew) stream.append(body, headers['stream-closed'] === 'true')
    response.writeHead(isNew ? 201 : 200, { 'stream-next-offset': offsetOf(stream.now.tail) }).end()
  }

  #append(path: string, body: Uint8Array, { headers }: IncomingMessage, response: ServerResponse): void {
    const stream = this.#streams.get(path)
    if (stream === undefined) {
      response.writeHead(404).end()
      return
    }
    stream.append(body, headers['stream-closed'] === 'true')
    response.writeHead(204, { 'stream-next-offset': offsetOf(stream.now.tail) }).end()
  }

  async #read(
    method: 'GET' | 'HEAD',
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const missing: StreamSource = {
      head: () => Promise.resolve(undefined),
      page: () => Promise.reject(new Error('no stream')),
      changed: () => Promise.resolve(),
    }
    const reader = new StreamReader(this.#streams.get(url.pathname) ?? missing, {
      longPollMs: this.#longPollMs,
      sseMs: 60_000,
      nowMs: Date.now,
      chance: Math.random,
    })
    const ifNoneMatch = request.headers['if-none-match']
    const answer = await reader.answer(
      { method, query: url.searchParams, ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) },
      gone.signal,
    )
    response.writeHead(answer.status, answer.headers)
    for await (const frame of answer.frames?.(gone.signal) ?? []) response.write(frame)
    response.end(answer.body)
  }
}
