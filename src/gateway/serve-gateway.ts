/**
 * Serving a gateway on a port, and letting go of it.
 */
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { TurnstepError } from '../core/errors.ts'
import type { Gateway } from './create-gateway.ts'
import { type HttpCode, PROBLEM_TYPE, problemOf } from './problem.ts'

export interface ServeOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** How long requests may take to finish once the gateway goes. Milliseconds, default 5,000. */
  readonly graceMs?: number
  /** How long a client may take to send its headers. Milliseconds, default 10,000. */
  readonly headersTimeoutMs?: number
  /** How long it may take to send a whole request. Milliseconds, default 30,000. */
  readonly requestTimeoutMs?: number
}

export interface ServedGateway {
  readonly host: string
  readonly port: number
  /** `http://host:port`. */
  readonly url: string
  /** Stops accepting, ends streams with a hint to come again, lets requests finish within the grace. Idempotent. */
  close(): Promise<void>
}

/** How often slow clients are looked for. */
const CHECK_MS = 1_000
const IDLE_CHECK_MS = 20

/** Serves a gateway. Fails with `invalid-config` when the address cannot be had, saying why. */
export async function serveGateway(gateway: Gateway, options: ServeOptions): Promise<ServedGateway> {
  const { host, graceMs = 5_000, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options
  const listener = getRequestListener(gateway.app.fetch, { overrideGlobalObjects: false })
  const underWay = new Set<Promise<void>>()
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs),
      maxHeaderSize: 16 * 1024,
      keepAliveTimeout: 5_000,
    },
    (request, response) => {
      if (gateway.deps.closing.aborted) response.setHeader('connection', 'close')
      const answered = Promise.resolve(listener(request, response))
        .then(() => undefined)
        .catch(() => undefined)
        .finally(() => underWay.delete(answered))
      underWay.add(answered)
    },
  )
  server.on('clientError', answerClientError)
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return {
    host,
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close() {
      closed ??= drain(server, gateway, { graceMs, underWay })
      return closed
    },
  }
}

function listen(server: Server, { host, port }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause)))
    server.listen({ host, port }, resolve)
  })
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): TurnstepError {
  const why =
    cause.code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken. Set TURNSTEP_PORT to another one, or end what uses it.`
      : `The gateway cannot listen on ${host}, port ${port}: ${cause.message}. See TURNSTEP_HOST and TURNSTEP_PORT.`
  return new TurnstepError('invalid-config', why, { cause })
}

/** Whether serving failed because something else has the port. */
export function isPortTaken(error: unknown): boolean {
  const cause = error instanceof TurnstepError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
}

/** Also waits for what goes on for clients that have left: it uses what is closed after the gateway. */
async function drain(
  server: Server,
  gateway: Gateway,
  { graceMs, underWay }: { readonly graceMs: number; readonly underWay: ReadonlySet<Promise<void>> },
): Promise<void> {
  const finished = new Promise<void>((resolve) => server.close(() => resolve()))
  gateway.close()
  // A connection whose request is under way is idle once that is answered.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  let late: NodeJS.Timeout | undefined
  const outOfTime = new Promise<void>((resolve) => {
    late = setTimeout(() => {
      server.closeAllConnections()
      resolve()
    }, graceMs)
  })
  await finished
  clearInterval(idle)
  await Promise.race([Promise.all(underWay), outOfTime])
  clearTimeout(late)
}

/** What never became a request is answered as a problem, too. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, code, detail]: readonly [string, HttpCode, string] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'request-timeout', 'The request did not come in time.']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'bad-request', 'The headers are too large.']
        : ['400 Bad Request', 'bad-request', 'This is not HTTP.']
  const body = JSON.stringify({ ...problemOf(code, detail), status: Number.parseInt(status, 10) })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
