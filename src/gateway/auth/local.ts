/**
 * Local mode: programs on this machine may do everything; pages in a browser may if they are our console's.
 *
 * 1. Only what comes over loopback, and names a loopback address as its host: a page whose name was pointed at this
 *    machine (DNS rebinding) names its own.
 * 2. What a browser sends can be told by its headers (`Origin`, `Sec-Fetch-Site`, a cookie), which pages cannot leave
 *    out. It must come from our own origin, and have the cookie that the link with the token has set; or from an
 *    origin that was allowed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { SCOPES } from '../../core/access.ts'
import { DEFAULT_TENANT } from '../../core/ids.ts'
import type { Authenticate, AuthFailure, Principal } from './principal.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(?:localhost|[a-z0-9-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

const PRINCIPAL: Principal = { tenant: DEFAULT_TENANT, name: 'user', scopes: new Set(SCOPES) }

/** Whether a name or address leads to this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || LOOPBACK.test(host)
}

/** 256 random bits for one start. */
export function newConsoleToken(): string {
  return randomBytes(32).toString('base64url')
}

export interface LocalAuthOptions {
  /** Opens the console, for one start. */
  readonly token: string
  /** Origins of other pages that may do everything. */
  readonly corsOrigins: readonly string[]
}

export function authenticateLocally({ token, corsOrigins }: LocalAuthOptions): Authenticate {
  return (request, { address }) => Promise.resolve(judge(request, { address, token, corsOrigins }))
}

function judge(
  { headers, url }: Request,
  by: LocalAuthOptions & { readonly address: string | undefined },
): Principal | AuthFailure {
  if (by.address === undefined || !LOOPBACK.test(by.address))
    return forbidden('This gateway answers to programs on its own machine alone.')
  const host = headers.get('host') ?? new URL(url).host
  if (!LOCAL_HOST.test(host))
    return forbidden(`This gateway is not ${JSON.stringify(host.slice(0, 200))}: call it localhost.`)
  const origin = headers.get('origin')
  if (origin !== null && by.corsOrigins.includes(origin)) return PRINCIPAL
  if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`)
    return forbidden(
      `Pages of ${JSON.stringify(origin.slice(0, 200))} may not use this gateway. TURNSTEP_CORS_ORIGINS allows it.`,
    )
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site')
    return forbidden('Pages from elsewhere may not use this gateway.')
  if (origin === null && site === null && !headers.has('cookie')) return PRINCIPAL
  if (isToken(cookieOf(headers, host), by.token)) return PRINCIPAL
  return {
    failure: 'unauthenticated',
    detail: 'Open the console by the link that "turnstep start" or "turnstep serve" printed.',
    challenge: 'Cookie realm="turnstep"',
  }
}

function forbidden(detail: string): AuthFailure {
  return { failure: 'forbidden', detail }
}

/** Browsers keep one set of cookies for all ports of a host: two gateways would sign each other's console out. */
function cookieNameOf(host: string): string {
  return `turnstep_console_${/:(\d+)$/.exec(host)?.[1] ?? '80'}`
}

function cookieOf(headers: Headers, host: string): string {
  const start = `${cookieNameOf(host)}=`
  const pairs = (headers.get('cookie') ?? '').split(/; */)
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? ''
}

/** Digests have one length, so that comparing takes the same time for whatever is given. */
function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

/**
 * What a request for a page with `?token=…` is answered: the cookie for the right one, and the same page without the
 * token, so that no history and no referrer has it. Undefined for a request without a token.
 */
export function exchangeToken(request: Request, token: string): Response | undefined {
  const url = new URL(request.url)
  const given = url.searchParams.get('token')
  if (given === null) return undefined
  url.searchParams.delete('token')
  const location = `${url.pathname.replace(/^\/{2,}/, '/')}${url.search}`
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  const host = request.headers.get('host') ?? url.host
  if (LOCAL_HOST.test(host) && isToken(given, token))
    headers.set('set-cookie', `${cookieNameOf(host)}=${token}; Path=/; HttpOnly; SameSite=Strict`)
  return new Response(null, { status: 303, headers })
}
