/**
 * Problem documents (RFC 9457): one table from codes to statuses.
 *
 * The codes are those of `TurnstepError` and a few of HTTP's own. They are stable; titles and details are not.
 */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorCode } from '../core/errors.ts'

/** What goes wrong before anything of ours is asked. */
export type HttpCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'invalid-json'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'request-timeout'
  | 'bad-request'
  | 'shutting-down'
  | 'identity-unavailable'

export type ProblemCode = ErrorCode | HttpCode

export interface Problem {
  /** `urn:turnstep:error:CODE`. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  /** What of the request is wrong, where that is known. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

export const PROBLEM_TYPE = 'application/problem+json'

const STATUS: Readonly<Record<ProblemCode, ContentfulStatusCode>> = {
  'invalid-input': 400,
  'invalid-json': 400,
  'bad-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'session-not-found': 404,
  'turn-not-found': 404,
  'input-not-found': 404,
  'call-not-waiting': 404,
  'spill-not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  'session-busy': 409,
  'turn-not-running': 409,
  'input-already-claimed': 409,
  'already-decided': 409,
  'arguments-changed': 409,
  'too-late': 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'unknown-agent': 422,
  'too-many-requests': 429,
  'rate-limited': 429,
  'abort-pending': 202,
  internal: 500,
  'invalid-config': 500,
  'store-corrupt': 500,
  'log-behind': 500,
  'worker-lost': 500,
  terminated: 500,
  'empty-completion': 502,
  'context-too-long': 502,
  'provider-auth': 502,
  'provider-protocol': 502,
  'provider-rejected': 502,
  'provider-unavailable': 502,
  'store-unavailable': 503,
  'temporal-unavailable': 503,
  'shutting-down': 503,
  'identity-unavailable': 503,
  'timed-out': 504,
}

const TITLE: Readonly<Record<number, string>> = {
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** All codes of problems. */
export const PROBLEM_CODES = Object.keys(STATUS) as readonly ProblemCode[]

export function statusOf(code: ProblemCode): ContentfulStatusCode {
  return STATUS[code]
}

export function problemOf(code: ProblemCode, detail: string, more: Pick<Problem, 'errors'> = {}): Problem {
  const status = statusOf(code)
  const title = TITLE[status] ?? 'Error'
  return { type: `urn:turnstep:error:${code}`, title, status, detail, code, ...more }
}

/** A problem as a response. */
export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store', ...headers },
  })
}

/** A request that cannot be answered as it is: thrown where that is found out, answered in one place. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>

  constructor(problem: Problem, headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail)
    this.problem = problem
    this.headers = headers
  }
}
