/**
 * Routes of other protocols in the OpenAPI document: what they are for, and which scope they need. Their bodies are
 * described where the protocol is.
 */
import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Scope } from '../auth/principal.ts'
import type { GatewayEnv } from '../gateway-deps.ts'
import type { ProblemCode } from '../problem.ts'
import { body, OF_BODY, problems } from '../schemas/answers.ts'
import { JsonObject } from '../schemas/common.ts'

export interface ForeignRoute {
  readonly method: 'get' | 'head' | 'post'
  /** As the document writes it: `/v1/streams/{session}`. */
  readonly path: string
  readonly scope: Scope
  /** Needed beside it. */
  readonly more?: readonly Scope[]
  readonly summary: string
  /** Content types of the answer; none for one without a body. */
  readonly answers: readonly ('application/json' | 'text/event-stream')[]
  /** Statuses of answers without a body. */
  readonly others?: Readonly<Record<number, string>>
  readonly hasBody?: boolean
  readonly codes?: readonly ProblemCode[]
  /** Content type of errors. Default: problem documents. */
  readonly errors?: 'application/json'
}

/** Adds a route to the document. It is registered with the app elsewhere. */
export function describeRoute(app: OpenAPIHono<GatewayEnv>, route: ForeignRoute): void {
  const {
    method,
    path,
    scope,
    more = [],
    summary,
    answers,
    others = {},
    hasBody = false,
    codes = [],
    errors,
  } = route
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const params =
    names.length === 0
      ? {}
      : { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }
  const schemas = { 'application/json': { schema: z.unknown() }, 'text/event-stream': { schema: z.string() } }
  const content = Object.fromEntries(answers.map((type) => [type, schemas[type]]))
  app.openAPIRegistry.registerPath({
    method,
    path,
    summary,
    security: [{ bearer: [scope, ...more] }],
    request: { ...params, ...(hasBody ? { body: body(JsonObject) } : {}) },
    responses: {
      200: { description: 'As the protocol has it', ...(answers.length === 0 ? {} : { content }) },
      ...Object.fromEntries(Object.entries(others).map(([status, description]) => [status, { description }])),
      ...inShape(problems(...(hasBody ? OF_BODY : []), ...codes), errors),
    },
  })
}

function inShape(
  responses: ReturnType<typeof problems>,
  errors: ForeignRoute['errors'],
): Readonly<Record<string, { description: string; content: object }>> {
  if (errors === undefined) return responses
  const content = { [errors]: { schema: JsonObject } }
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description }]) => [status, { description, content }]),
  )
}
