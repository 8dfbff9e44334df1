import type { Context, MiddlewareHandler } from 'hono'
import { rateLimiter } from 'hono-rate-limiter'
import { isAuthFailure, type Principal, type Scope } from '../auth/principal.ts'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'
import { HttpProblem, problemOf } from '../problem.ts'

/** Who sends a request, asked once. Sets `principal`; fails with `unauthenticated` or `forbidden`. */
export async function identify(c: Context<GatewayEnv>, deps: GatewayDeps): Promise<Principal> {
  const known = c.get('principal') as Principal | undefined
  if (known !== undefined) return known
  const address = c.env?.incoming?.socket.remoteAddress
  const found = await deps.authenticate(c.req.raw, address === undefined ? {} : { address })
  if (isAuthFailure(found)) {
    const { failure, detail, challenge = 'Bearer' } = found
    throw new HttpProblem(
      problemOf(failure, detail),
      failure === 'unauthenticated' ? { 'www-authenticate': challenge } : {},
    )
  }
  c.set('principal', found)
  return found
}

/** Lets a request pass whose principal has one of the scopes, and is within its rate. */
export function requires(deps: GatewayDeps, ...scopes: readonly Scope[]): MiddlewareHandler<GatewayEnv> {
  const limit = limiterOf(deps)
  return async (c, next) => {
    demandScope(await identify(c, deps), ...scopes)
    return limit(c, next)
  }
}

/** The same as part of a described route: the document names the scopes, too. */
export function needs(deps: GatewayDeps, ...scopes: readonly Scope[]) {
  return {
    middleware: requires(deps, ...scopes),
    security: scopes.map((scope) => ({ bearer: [scope] as string[] })),
  }
}

/** Fails with `forbidden` when the principal has none of the scopes. */
export function demandScope({ name, scopes }: Principal, ...anyOf: readonly Scope[]): void {
  if (anyOf.some((scope) => scopes.has(scope))) return
  const wanted = anyOf.map((scope) => JSON.stringify(scope)).join(' or ')
  throw new HttpProblem(problemOf('forbidden', `${name} may not do this: it needs the scope ${wanted}.`))
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
