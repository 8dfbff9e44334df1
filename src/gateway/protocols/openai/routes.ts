/**
 * Agents for clients of OpenAI: an agent is a model, a Turn is an answer. Closing the connection does nothing to the
 * Turn.
 */
import type { GatewayDeps } from '../../gateway-deps.ts'
import { requires } from '../../middleware/requires.ts'
import { openApiApp } from '../../routes/app.ts'
import { describeRoute, type ForeignRoute } from '../describe-route.ts'
import { chatCompletionRoutes } from './chat-completion-routes.ts'
import { responseRoutes } from './response-routes.ts'

export function openAiRoutes(deps: GatewayDeps) {
  const app = openApiApp()
  for (const route of DESCRIBED) describeRoute(app, { ...route, errors: 'application/json' })
  app.get('/v1/models', requires(deps, 'read'), (c) =>
    c.json({ object: 'list', data: deps.agents().map(({ name }) => modelOf(name)) }),
  )
  app.route('/', chatCompletionRoutes(deps))
  app.route('/', responseRoutes(deps))
  return app
}

const DESCRIBED: readonly ForeignRoute[] = [
  {
    method: 'get',
    path: '/v1/models',
    scope: 'read',
    summary: 'OpenAI: agents as models',
    answers: ['application/json'],
  },
  {
    method: 'post',
    path: '/v1/chat/completions',
    scope: 'send',
    summary: 'OpenAI: an answer of an agent, whole or streamed',
    answers: ['application/json', 'text/event-stream'],
    hasBody: true,
    codes: ['not-found'],
  },
  {
    method: 'post',
    path: '/v1/responses',
    scope: 'send',
    summary: 'OpenAI: a response of an agent, whole, streamed or in the background',
    answers: ['application/json', 'text/event-stream'],
    hasBody: true,
    codes: ['not-found'],
  },
  {
    method: 'get',
    path: '/v1/responses/{id}',
    scope: 'read',
    summary: 'OpenAI: a response as far as it has come',
    answers: ['application/json'],
    codes: ['not-found'],
  },
  {
    method: 'post',
    path: '/v1/responses/{id}/cancel',
    scope: 'abort',
    more: ['read'],
    summary: 'OpenAI: stop a response',
    answers: ['application/json'],
    codes: ['not-found'],
  },
]

function modelOf(agent: string) {
  return { id: agent, object: 'model', created: 0, owned_by: 'turnstep' }
}
