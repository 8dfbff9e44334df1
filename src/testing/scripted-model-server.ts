/**
 * An HTTP server that stands in for a model provider in tests: scripted answers, strict about requests.
 *
 * It owns: the socket, the order of answers, the list of violations. What an answer looks like on the wire is
 * `serve-answer.ts`, what a request must look like `find-violations.ts`, what happened `model-journal.ts`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatRequest } from './chat-request.ts'
import { findViolations } from './find-violations.ts'
import {
  type JournalEntry,
  type JournalLimits,
  journalNow,
  ModelJournal,
  type WritableEntry,
} from './model-journal.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'
import { type Exchange, errorBody, sendJson, serveAnswer } from './serve-answer.ts'
import { describeViolation, type Violation } from './violation.ts'

/** Decides the answer to a request that has no violations. Undefined: the request was not expected, a violation. */
export type Respond = (
  request: ChatRequest,
  entry: JournalEntry,
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>

export interface ScriptedModelServerOptions {
  /** Answers in order of requests, whoever asks. One request more is a violation. */
  readonly script?: readonly ScriptedAnswer[]
  /** Or a function from request to answer, which lets many conversations share the server. */
  readonly respond?: Respond
  /** If set, requests must bear this key, else they get a 401. */
  readonly apiKey?: string
  /** Names that `GET /v1/models` lists. Default `scripted-model`. */
  readonly models?: readonly string[]
  readonly journal?: JournalLimits
}

/** A violation and the number of the request that it is about. */
export interface RequestViolation extends Violation {
  readonly request: number
}

const EXHAUSTED: Violation = {
  rule: 'body',
  path: '',
  problem: 'was not expected: the script has no answer for it',
}

export class ScriptedModelServer {
  /** Base URL, ending in `/v1`. */
  readonly url: string
  readonly journal: ModelJournal
  readonly #server: Server
  readonly #options: ScriptedModelServerOptions
  readonly #script: ScriptedAnswer[]
  #violations: RequestViolation[] = []

  private constructor(server: Server, options: ScriptedModelServerOptions) {
    this.#server = server
    this.#options = options
    this.#script = [...(options.script ?? [])]
    this.journal = new ModelJournal(options.journal)
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : undefined),
      )
    })
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(options: ScriptedModelServerOptions): Promise<ScriptedModelServer> {
    const server = createServer({ keepAlive: true, noDelay: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    return new ScriptedModelServer(server, options)
  }

  /** What was wrong with requests so far. */
  get violations(): readonly RequestViolation[] {
    return this.#violations
  }

  /** Returns the violations and forgets them: for tests that mean to cause them. */
  takeViolations(): readonly RequestViolation[] {
    const taken = this.#violations
    this.#violations = []
    return taken
  }

  /** Throws with every violation so far. */
  assertNoViolations(): void {
    if (this.#violations.length === 0) return
    const lines = this.#violations.map(
      (violation) => `request ${violation.request}: ${describeViolation(violation)}`,
    )
    throw new Error(`A strict provider would have refused these requests:\n${lines.join('\n')}`)
  }

  /** Adds answers to the script. */
  enqueue(...answers: readonly ScriptedAnswer[]): void {
    this.#script.push(...answers)
  }

  /** Destroys open connections and stops listening; then throws if there were violations. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
    this.assertNoViolations()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname
    const entry = this.journal.open({ method: request.method ?? '', path, headers: request.headers })
    const clientLeft = this.#followEnd(response, entry)
    if (!this.#isAuthorized(request)) {
      request.resume()
      sendJson({ response, entry }, 401, errorBody(401, 'Incorrect API key provided.', 'invalid_api_key'))
    } else if (request.method === 'GET' && path.startsWith('/v1/models')) {
      sendJson({ response, entry }, 200, this.#models())
    } else if (request.method === 'POST' && path === '/v1/chat/completions') {
      await this.#serveChat(request, { response, entry, clientLeft })
    } else {
      request.resume()
      sendJson({ response, entry }, 404, errorBody(404, `No route ${request.method} ${path}.`))
    }
  }

  async #serveChat(
    request: IncomingMessage,
    exchange: Pick<Exchange, 'response' | 'entry' | 'clientLeft'>,
  ): Promise<void> {
    const { entry } = exchange
    const bytes = await readBody(request)
    const body = parseBody(bytes)
    this.journal.keepBody(entry, body, bytes.length)
    entry.violations =
      body === undefined
        ? [{ rule: 'body', path: '', problem: 'is not JSON in UTF-8' }]
        : findViolations(body)
    this.journal.changed(entry)
    if (entry.violations.length > 0) return this.#refuse(exchange)
    const chat = body as ChatRequest
    const answer = await this.#answer(chat, entry)
    if (answer === undefined) {
      entry.violations = [EXHAUSTED]
      return this.#refuse(exchange)
    }
    await serveAnswer(answer, {
      ...exchange,
      journal: this.journal,
      identity: { number: entry.number, request: chat },
    })
  }

  #answer(
    request: ChatRequest,
    entry: JournalEntry,
  ): ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined> {
    return this.#script.shift() ?? this.#options.respond?.(request, entry)
  }

  #refuse(exchange: Pick<Exchange, 'response' | 'entry'>): void {
    const { entry } = exchange
    this.#violations.push(...entry.violations.map((violation) => ({ ...violation, request: entry.number })))
    sendJson(exchange, 400, errorBody(400, entry.violations.map(describeViolation).join('; ')))
  }

  /** Records how the exchange ends; the promise settles when the client left before it did. */
  #followEnd(response: ServerResponse, entry: WritableEntry): Promise<void> {
    return new Promise((resolve) => {
      response.on('error', () => undefined)
      response.once('close', () => {
        if (entry.endedAt === undefined && response.writableFinished) entry.endedAt = journalNow()
        else if (entry.endedAt === undefined) entry.abortedAt = journalNow()
        resolve()
        this.journal.changed(entry)
      })
    })
  }

  #isAuthorized(request: IncomingMessage): boolean {
    const { apiKey } = this.#options
    return apiKey === undefined || request.headers.authorization === `Bearer ${apiKey}`
  }

  #models(): Record<string, unknown> {
    const names = this.#options.models ?? ['scripted-model']
    return {
      object: 'list',
      data: names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'turnstep' })),
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    return undefined
  }
}
