/**
 * One request over a connection of its own, to an address that was looked at.
 *
 * Invariants:
 * 1. A name is resolved once a connection, and the connection goes to what was resolved and allowed: an answer of
 *    the name service that changes later is not seen.
 * 2. Nothing of the surroundings takes part: no proxy, no shared connection, no cookie, no certificate of ours, and
 *    no environment variable that turns certificates off.
 */
import { lookup } from 'node:dns/promises'
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type HostRules, notPublic } from './host-rules.ts'
import { HttpFetchError } from './http-fetch-error.ts'

/** The addresses of a host's name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface Request {
  readonly method: string
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  /** Beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Connecting {
  readonly rules: HostRules
  readonly resolve: Resolve
  readonly signal: AbortSignal
}

const MAX_HEADER_BYTES = 16 * 1024

/** As this machine resolves names. */
export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

/** Resolves with the answer's head; whoever called reads or destroys the rest. Fails with what the network fails with. */
export function sendRequest(url: URL, request: Request, connecting: Connecting): Promise<IncomingMessage> {
  const { method, body, contentType, headers = {} } = request
  const secure = url.protocol === 'https:'
  const options: RequestOptions & https.RequestOptions = {
    method,
    agent: secure ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false }),
    lookup: guardedLookup(url, connecting),
    signal: connecting.signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    rejectUnauthorized: true,
    headers: {
      ...headers,
      accept: 'text/html, application/json, text/*;q=0.9, */*;q=0.5',
      'accept-encoding': 'gzip, br',
      'user-agent': 'turnstep',
      ...(body === undefined
        ? {}
        : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
    },
  }
  return new Promise((resolve, reject) => {
    const sent = secure ? https.request(url, options) : http.request(url, options)
    sent.once('response', resolve)
    sent.on('error', reject)
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new HttpFetchError(`${url.host} wants to speak another protocol.`))
    })
    sent.end(body)
  })
}

function guardedLookup(url: URL, { rules, resolve }: Connecting): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return done(notFound(url), '', 0)
        // One that is not allowed is enough: which of them is connected to is not ours to say.
        if (!addresses.every((address) => rules.allowsAddress(url, address)))
          return done(notPublic(url), '', 0)
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        return options.all === true ? done(null, found) : done(null, first, isIP(first))
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    )
  }
}

function notFound(url: URL): HttpFetchError {
  return new HttpFetchError(`${url.host} could not be found: its name has no address.`)
}
