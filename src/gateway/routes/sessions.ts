/**
 * Sessions: creating, listing, where they stand.
 */
import { createRoute, z } from '@hono/zod-openapi'
import type { PendingApproval } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'
import { TurnstepError } from '../../core/errors.ts'
import type { Principal } from '../auth/principal.ts'
import type { GatewayDeps } from '../gateway-deps.ts'
import { needs } from '../middleware/requires.ts'
import { body, json, OF_BODY, problems } from '../schemas/answers.ts'
import { JsonObject, SessionParams } from '../schemas/common.ts'
import { CreatedSession, ListQuery, NewSession, SessionList, SessionState } from '../schemas/session.ts'
import { answerJson } from './answer-json.ts'
import { answer, openApiApp } from './app.ts'
import { clientOf, existingSession } from './target.ts'

export function sessionRoutes(deps: GatewayDeps) {
  const create = createRoute({
    method: 'post',
    path: '/v1/sessions',
    summary: 'Create a session; one that exists keeps the agent it has',
    ...needs(deps, 'send'),
    request: { body: body(NewSession) },
    responses: { 201: json(CreatedSession, 'It exists'), ...problems(...OF_BODY, 'unknown-agent') },
  })
  const list = createRoute({
    method: 'get',
    path: '/v1/sessions',
    summary: 'Sessions by last change, newest first',
    ...needs(deps, 'read'),
    request: { query: ListQuery },
    responses: { 200: json(SessionList, 'Sessions'), ...problems() },
  })
  const state = createRoute({
    method: 'get',
    path: '/v1/sessions/{session}',
    summary: 'Where a session stands, and what waits in it',
    ...needs(deps, 'read'),
    request: { params: SessionParams },
    responses: { 200: json(SessionState, 'Its state'), ...problems('session-not-found') },
  })
  const audits = createRoute({
    method: 'get',
    path: '/v1/sessions/{session}/audits',
    summary: 'What calls of more than low risk did',
    ...needs(deps, 'read'),
    request: { params: SessionParams },
    responses: {
      200: json(z.object({ audits: z.array(JsonObject) }), 'Records'),
      ...problems('session-not-found'),
    },
  })
  const messages = createRoute({
    method: 'get',
    path: '/v1/sessions/{session}/messages',
    summary: 'The conversation, provider-neutral',
    ...needs(deps, 'read'),
    request: { params: SessionParams },
    responses: {
      200: json(z.object({ messages: z.array(JsonObject) }), 'Messages'),
      ...problems('session-not-found'),
    },
  })
  const app = openApiApp()
  answer(app, create, async (c) => {
    const { id = crypto.randomUUID(), ...about } = c.req.valid('json')
    checkAgent(deps, about.agent)
    await clientOf(c, deps).createSession(id, defined(about))
    return answerJson({ sessionId: id }, 201)
  })
  answer(app, list, async (c) => {
    const sessions = await clientOf(c, deps).sessions(c.req.valid('query'))
    return answerJson({ sessions: [...sessions] })
  })
  answer(app, state, async (c) => {
    const session = await existingSession(c, deps, c.req.valid('param').session)
    const { spent, approvals = [], clientCalls = [], ...status } = await session.status()
    const { tokens, costMicroUsd } = spent
    const answer = {
      sessionId: session.id,
      ...status,
      approvals: approvals.map((one) => shownTo(c.get('principal'), one)),
      clientCalls,
      usage: { tokens },
      cost: costMicroUsd === 0 ? null : costMicroUsd,
    }
    return answerJson(answer)
  })
  answer(app, audits, async (c) => {
    const session = await existingSession(c, deps, c.req.valid('param').session)
    return answerJson({ audits: await session.audits() })
  })
  answer(app, messages, async (c) => {
    const session = await existingSession(c, deps, c.req.valid('param').session)
    return answerJson({ messages: await session.messages() })
  })
  return app
}

/** A text that is held for a human is shown to who may decide on it. */
function shownTo({ scopes }: Principal, approval: PendingApproval): Omit<PendingApproval, 'text'> {
  if (approval.kind === 'call' || scopes.has('approve')) return approval
  const { text: _, ...rest } = approval
  return rest
}

/** Fails with `unknown-agent` for one that is not among those that are known here, if any are. */
function checkAgent(deps: GatewayDeps, agent: string | undefined): void {
  const known = deps.agents()
  if (agent === undefined || known.length === 0 || known.some(({ name }) => name === agent)) return
  const names = known.map(({ name }) => name).join(', ')
  throw new TurnstepError('unknown-agent', `There is no agent ${agent}. There is: ${names}.`)
}
