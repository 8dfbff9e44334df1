/**
 * From a URL to an answer, by way of redirects that are each judged like the URL itself.
 */
import type { IncomingMessage } from 'node:http'
import { type BodySource, bodyText } from './body-text.ts'
import type { HostRules } from './host-rules.ts'
import { explainNetworkError, HttpFetchError } from './http-fetch-error.ts'
import { type Body, readBody } from './read-body.ts'
import { type Request, type Resolve, sendRequest } from './send-request.ts'

export interface FetchContext {
  readonly rules: HostRules
  readonly resolve: Resolve
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly timeoutMs: number
}

export interface Fetched {
  readonly status: number
  /** Where the answer came from in the end. */
  readonly url: string
  readonly contentType?: string
  /** Where to, of a redirect that was not followed. */
  readonly location?: string
  readonly body?: string
  /** Set when there is more of the body. */
  readonly cut?: true
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Fails with {@link HttpFetchError}, and with the reason of an abort. Only GET and HEAD are redirected: what another
 * method sends goes to nobody but whom it was meant for.
 */
export async function followRedirects(
  text: string,
  request: Request,
  context: FetchContext,
): Promise<Fetched> {
  const { rules, resolve, maxBytes, timeoutMs } = context
  const timeLimit = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([context.signal, timeLimit])
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  if (isSafe && request.body !== undefined)
    throw new HttpFetchError(`${request.method} sends no body.`, 'Leave body out, or use another method.')
  let url = rules.admit(text)
  try {
    for (let redirects = 0; ; redirects += 1) {
      context.signal.throwIfAborted()
      const response = await sendRequest(url, request, { rules, resolve, signal })
      const target = isSafe ? redirectOf(response) : undefined
      if (target === undefined) {
        const body = request.method === 'HEAD' ? discard(response) : await readBody(response, maxBytes)
        return await answer(response, body, { url, signal })
      }
      response.destroy()
      if (redirects === MAX_REDIRECTS)
        throw new HttpFetchError(`The URL was redirected more than ${MAX_REDIRECTS} times.`)
      url = redirected(url, target, rules)
    }
  } catch (error) {
    context.signal.throwIfAborted()
    if (timeLimit.aborted)
      throw new HttpFetchError(`${url.host} did not answer in full within ${timeoutMs} ms.`)
    throw explainNetworkError(error, url)
  }
}

/** Where a redirect leads to. Fails with {@link HttpFetchError} where it may not. */
export function redirected(from: URL, location: string, rules: HostRules): URL {
  const to = rules.admit(location, from)
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    throw new HttpFetchError(`${from.host} redirects from https to http, which is not followed.`)
  return to
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return REDIRECTS.has(statusCode) ? headers.location : undefined
}

function discard(response: IncomingMessage): undefined {
  response.destroy()
}

async function answer(
  { statusCode = 0, headers }: IncomingMessage,
  body: Body | undefined,
  source: Omit<BodySource, 'contentType'>,
): Promise<Fetched> {
  const contentType = headers['content-type']
  const hasBody = body !== undefined && body.bytes.length > 0
  return {
    status: statusCode,
    url: source.url.href,
    ...(contentType === undefined ? {} : { contentType }),
    ...(headers.location === undefined ? {} : { location: headers.location }),
    ...(hasBody ? { body: await bodyText(body, { ...source, contentType }) } : {}),
    ...(body?.isCut === true ? { cut: true } : {}),
  }
}
