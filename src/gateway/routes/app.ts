import { OpenAPIHono, type RouteConfig, type RouteHandler } from '@hono/zod-openapi'
import type { GatewayEnv } from '../gateway-deps.ts'
import { HttpProblem, problemOf } from '../problem.ts'

/** An app whose routes refuse what does not fit their schemas with a problem that names each place. */
export function openApiApp(): OpenAPIHono<GatewayEnv> {
  return new OpenAPIHono<GatewayEnv>({
    defaultHook: (result) => {
      if (result.success) return
      const errors = result.error.issues
        .slice(0, 20)
        .map(({ path, message }) => ({ path: path.join('.'), message }))
      const [first] = errors
      const where = first === undefined || first.path === '' ? '' : `${first.path}: `
      throw new HttpProblem(
        problemOf('invalid-input', `The ${result.target} cannot be used. ${where}${first?.message ?? ''}`, {
          errors,
        }),
      )
    },
  })
}

/**
 * Registers a route with its answer. What the answer looks like is described by the route's schemas and proven by
 * tests, not by types: ours are read-only, and what JSON makes of them is not.
 */
export function answer<R extends RouteConfig>(
  app: OpenAPIHono<GatewayEnv>,
  route: R,
  handle: (c: Parameters<RouteHandler<R, GatewayEnv>>[0]) => Response | Promise<Response>,
): void {
  app.openapi(route, handle as unknown as RouteHandler<R, GatewayEnv>)
}
