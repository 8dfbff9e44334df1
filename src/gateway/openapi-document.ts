/**
 * The OpenAPI 3.1 document of an app's routes.
 */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Handler } from 'hono'
import type { GatewayEnv } from './gateway-deps.ts'
import { answerJson } from './routes/answer-json.ts'

/** Answers with the document, which is made when it is first asked for: all routes are there by then. */
export function describe(app: OpenAPIHono<GatewayEnv>, version: string): Handler<GatewayEnv> {
  let document: unknown
  return () => {
    document ??= make(app, version)
    return answerJson(document)
  }
}

function make(app: OpenAPIHono<GatewayEnv>, version: string): unknown {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key or a JWT. In local mode programs on the same machine need none.',
  })
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'turnstep',
      version,
      description: 'A durable agent runtime: turns of an agent over HTTP.',
    },
  })
}
