import type { MiddlewareHandler } from 'hono'
import { rateLimiter } from 'hono-rate-limiter'
import { isAuthFailure, type Principal, type Scope } from '../auth/principal.ts'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'
import { HttpProblem, problemOf } from '../problem.ts'

/** Lets a request pass whose principal has the scope, and is within its rate. Sets `principal`. */
export function requires(deps: GatewayDeps, scope: Scope): MiddlewareHandler<GatewayEnv> {
  const limit = limiterOf(deps)
  return async (c, next) => {
    const address = c.env?.incoming?.socket.remoteAddress
    const found = await deps.authenticate(c.req.raw, address === undefined ? {} : { address })
    if (isAuthFailure(found)) {
      const { failure, detail, challenge = 'Bearer' } = found
      throw new HttpProblem(
        problemOf(failure, detail),
        failure === 'unauthenticated' ? { 'www-authenticate': challenge } : {},
      )
    }
    demandScope(found, scope)
    c.set('principal', found)
    return limit(c, next)
  }
}

/** The same as part of a described route: the document names the scope, too. */
export function needs(deps: GatewayDeps, scope: Scope) {
  return { middleware: requires(deps, scope), security: [{ bearer: [scope] }] }
}

/** Fails with `forbidden` when the principal does not have the scope. */
export function demandScope({ name, scopes }: Principal, scope: Scope): void {
  if (scopes.has(scope)) return
  throw new HttpProblem(problemOf('forbidden', `${name} may not do this: it needs the scope "${scope}".`))
}

const limiters = new WeakMap<GatewayDeps, MiddlewareHandler<GatewayEnv>>()

/** One for all routes of a gateway. */
function limiterOf(deps: GatewayDeps): MiddlewareHandler<GatewayEnv> {
  let limiter = limiters.get(deps)
  if (limiter === undefined) {
    limiter = createLimiter(deps.limits.requestsPerMinute)
    limiters.set(deps, limiter)
  }
  return limiter
}

function createLimiter(limit: number): MiddlewareHandler<GatewayEnv> {
  if (limit === 0) return (_, next) => next()
  return rateLimiter<GatewayEnv>({
    windowMs: 60_000,
    limit,
    standardHeaders: 'draft-6',
    keyGenerator: (c) => {
      const { tenant, name } = c.get('principal')
      return `${tenant}:${name}`
    },
    handler: (c) => {
      throw new HttpProblem(problemOf('too-many-requests', `More than ${limit} requests in a minute.`), {
        'retry-after': c.res.headers.get('retry-after') ?? '60',
      })
    },
  })
}
