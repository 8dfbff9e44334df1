/**
 * What those need to know who run the gateway, and which agents there are.
 */
import { createRoute, z } from '@hono/zod-openapi'
import { DEFAULT_TENANT } from '../../core/ids.ts'
import type { GatewayDeps } from '../gateway-deps.ts'
import { needs } from '../middleware/requires.ts'
import { problemOf, problemResponse } from '../problem.ts'
import { json, problems } from '../schemas/answers.ts'
import { answerJson } from './answer-json.ts'
import { answer, openApiApp } from './app.ts'

const Health = z.object({ status: z.literal('ok') }).openapi('Health')

const AgentLimits = z
  .object({
    maxSteps: z.int(),
    maxDurationMs: z.int(),
    maxTokens: z.int().optional(),
    maxCostMicroUsd: z.int().optional(),
  })
  .openapi({ description: 'What its turns may spend' })

const AgentList = z
  .object({
    agents: z.array(
      z.object({
        name: z.string(),
        model: z.string().optional(),
        tools: z.array(z.string()).optional(),
        limits: AgentLimits.optional(),
      }),
    ),
  })
  .openapi('AgentList')

/** How long being asked may take. */
const READY_MS = 2_000

export function operationRoutes(deps: GatewayDeps) {
  const agents = createRoute({
    method: 'get',
    path: '/v1/agents',
    summary: 'The agents that are known here, the default one first',
    ...needs(deps, 'read'),
    responses: { 200: json(AgentList, 'Agents'), ...problems() },
  })
  const health = createRoute({
    method: 'get',
    path: '/healthz',
    summary: 'Whether the process answers',
    responses: { 200: json(Health, 'It does') },
  })
  const ready = createRoute({
    method: 'get',
    path: '/readyz',
    summary: 'Whether the store and Temporal answer, and the gateway is not going',
    responses: { 200: json(Health, 'They do'), ...problems('shutting-down') },
  })
  const metrics = createRoute({
    method: 'get',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    ...needs(deps, 'read'),
    responses: {
      200: { description: 'Figures', content: { 'text/plain': { schema: z.string() } } },
      ...problems(),
    },
  })
  const app = openApiApp()
  answer(app, agents, () => answerJson({ agents: deps.agents() }))
  answer(app, health, () => answerJson({ status: 'ok' }))
  answer(app, ready, async () => {
    if (deps.closing.aborted) return problemResponse(problemOf('shutting-down', 'The gateway is going.'))
    await deps.turnstep(DEFAULT_TENANT).check({ timeoutMs: READY_MS })
    return answerJson({ status: 'ok' })
  })
  answer(
    app,
    metrics,
    () => new Response(deps.metrics.text(), { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
  )
  return app
}
