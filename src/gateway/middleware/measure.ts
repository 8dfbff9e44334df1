import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'

/** Counts requests by the pattern of their route, so that ids make no series of their own; and says what browsers may do. */
export function measure({ metrics }: GatewayDeps): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    const { status } = c.res
    c.header('x-content-type-options', 'nosniff')
    const seconds = (performance.now() - startedAt) / 1_000
    const path = routePath(c, -1)
    const route = path.endsWith('*') ? 'other' : path
    metrics.requestDone({ method: c.req.method, route, status, seconds })
  }
}
