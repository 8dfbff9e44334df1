/**
 * The gateway: an HTTP interface to Sessions, on Hono. Owns no port; see `serveGateway`.
 */
import { setMaxListeners } from 'node:events'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { cors } from 'hono/cors'
import type { Turnstep } from '../client/index.ts'
import { answerFailure } from './answer-failure.ts'
import type { Authenticate } from './auth/principal.ts'
import { type ConsoleOptions, consoleRoutes } from './console-files.ts'
import type { AgentSummary, GatewayDeps, GatewayEnv, GatewayRoutes } from './gateway-deps.ts'
import { DEFAULT_LIMITS, type GatewayLimits } from './gateway-limits.ts'
import { createMetrics } from './metrics.ts'
import { measure } from './middleware/measure.ts'
import { readBody } from './middleware/read-body.ts'
import { answerNotFound } from './not-found.ts'
import { describe } from './openapi-document.ts'
import { FRONT_END_PROTOCOLS } from './protocols/front-end-protocols.ts'
import { unsupportedField } from './protocols/openai/chat-request.ts'
import { asOpenAiError, isOpenAiPath } from './protocols/openai/openai-error.ts'
import { openApiApp } from './routes/app.ts'
import { decisionRoutes } from './routes/decisions.ts'
import { eventRoutes } from './routes/events.ts'
import { inputRoutes } from './routes/inputs.ts'
import { operationRoutes } from './routes/operations.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { turnRoutes } from './routes/turns.ts'
import { Tails } from './streams/tails.ts'

export interface GatewayOptions {
  /** The client of a tenant. */
  readonly turnstep: (tenant: string) => Turnstep
  readonly authenticate: Authenticate
  readonly agents?: () => readonly AgentSummary[]
  /** Of the package; in the OpenAPI document. */
  readonly version: string
  readonly limits?: Partial<GatewayLimits>
  /** Origins whose pages may call the gateway. Default: none. */
  readonly corsOrigins?: readonly string[]
  /** Which workflows an input may have signalled once its Turn has ended. Default: none. */
  readonly mayNotify?: (workflowId: string) => boolean
  /** The console's files, and what it is told of its surroundings. Default: no console. */
  readonly console?: ConsoleOptions
  /** Protocols of others, mounted beside our own routes. Default: all that we know. */
  readonly protocols?: readonly GatewayRoutes[]
  /** Is told of failures that are nobody's but ours. Default: nobody. */
  readonly report?: (error: unknown) => void
}

export interface Gateway {
  readonly app: OpenAPIHono<GatewayEnv>
  readonly deps: GatewayDeps
  /** Ends streams and waits; what else is under way may finish. Idempotent. */
  close(): void
}

export function createGateway(options: GatewayOptions): Gateway {
  const { report = () => undefined, corsOrigins = [], protocols = FRONT_END_PROTOCOLS } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const closing = new AbortController()
  // Every stream and every wait listens.
  setMaxListeners(0, closing.signal)
  const deps: GatewayDeps = {
    turnstep: options.turnstep,
    authenticate: options.authenticate,
    agents: options.agents ?? (() => []),
    tails: new Tails(limits.readerBytes),
    limits,
    mayNotify: options.mayNotify ?? (() => false),
    metrics: createMetrics(),
    closing: closing.signal,
  }
  const app = openApiApp()
  app.onError((error, c) => {
    const failure = answerFailure(error, report)
    return isOpenAiPath(c.req.path) ? asOpenAiError(failure, unsupportedField(error)) : failure
  })
  app.notFound((c) => answerNotFound(c, app.routes))
  app.use(measure(deps))
  if (corsOrigins.length > 0)
    app.use('/v1/*', cors({ origin: [...corsOrigins], credentials: true, maxAge: 600 }))
  app.use('/v1/*', readBody(deps))
  for (const routes of [sessionRoutes, inputRoutes, decisionRoutes, turnRoutes, eventRoutes, operationRoutes])
    app.route('/', routes(deps))
  for (const routes of protocols) app.route('/', routes(deps))
  app.get('/openapi.json', describe(app, options.version))
  if (options.console !== undefined) app.route('/', consoleRoutes(deps, options.console))
  return {
    app,
    deps,
    close() {
      closing.abort()
      deps.tails.close()
    },
  }
}
