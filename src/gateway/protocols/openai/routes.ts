/**
 * Agents for clients of OpenAI: an agent is a model, a Turn is an answer. Closing the connection does nothing to the
 * Turn.
 */
import { Hono } from 'hono'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { requires } from '../../middleware/requires.ts'
import { chatCompletionRoutes } from './chat-completion-routes.ts'
import { responseRoutes } from './response-routes.ts'

export function openAiRoutes(deps: GatewayDeps): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>()
  app.get('/v1/models', requires(deps, 'read'), (c) =>
    c.json({ object: 'list', data: deps.agents().map(({ name }) => modelOf(name)) }),
  )
  app.route('/', chatCompletionRoutes(deps))
  app.route('/', responseRoutes(deps))
  return app
}

function modelOf(agent: string) {
  return { id: agent, object: 'model', created: 0, owned_by: 'turnstep' }
}
