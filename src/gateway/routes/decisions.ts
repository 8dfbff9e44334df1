/**
 * Decisions of humans, and answers of clients.
 */
import { createRoute, z } from '@hono/zod-openapi'
import { defined } from '../../core/defined.ts'
import type { GatewayDeps } from '../gateway-deps.ts'
import { needs } from '../middleware/requires.ts'
import { body, json, OF_BODY, problems } from '../schemas/answers.ts'
import { Id, JsonObject, SessionParams } from '../schemas/common.ts'
import { answerJson } from './answer-json.ts'
import { answer, openApiApp } from './app.ts'
import { existingSession } from './target.ts'

const CallParams = SessionParams.extend({ call: Id.openapi({ param: { name: 'call', in: 'path' } }) })

const DecisionBody = z
  .strictObject({
    decision: z.enum(['approve', 'edit', 'deny', 'replan']),
    argumentsDigest: z
      .string()
      .openapi({ description: 'Of what was shown: a decision is about that and nothing else' }),
    scope: z.enum(['once', 'session']).optional(),
    // biome-ignore lint/suspicious/noThenProperty: the word of the decision, as the library has it
    then: z.enum(['continue', 'replan']).optional(),
    arguments: JsonObject.optional().openapi({ description: 'What is to run instead, for `edit`' }),
    text: z
      .string()
      .min(1)
      .optional()
      .openapi({ description: 'What is to be said instead, for `edit` of a text' }),
    note: z.string().max(10_000).optional(),
  })
  .openapi('Decision')

const Decided = z.object({ callId: z.string(), decision: z.string(), by: z.string() }).openapi('Decided')

const AnswerBody = z
  .strictObject({
    content: z.unknown().openapi({ description: 'A text, or any JSON value' }),
    isError: z.boolean().optional(),
  })
  .openapi('Answer')

const Answered = z.object({ callId: z.string() }).openapi('Answered')

export function decisionRoutes(deps: GatewayDeps) {
  const decide = createRoute({
    method: 'post',
    path: '/v1/sessions/{session}/approvals/{call}',
    summary: 'Decide on a call that waits for a human',
    ...needs(deps, 'approve'),
    request: { params: CallParams, body: body(DecisionBody) },
    responses: {
      200: json(Decided, 'It is decided so'),
      ...problems(
        ...OF_BODY,
        'session-not-found',
        'call-not-waiting',
        'already-decided',
        'arguments-changed',
        'too-late',
      ),
    },
  })
  const post = createRoute({
    method: 'post',
    path: '/v1/sessions/{session}/calls/{call}/result',
    summary: 'Post the result of a call that the client runs',
    ...needs(deps, 'send'),
    request: { params: CallParams, body: body(AnswerBody) },
    responses: {
      200: json(Answered, 'It is in the log'),
      ...problems(...OF_BODY, 'session-not-found', 'call-not-waiting', 'already-decided', 'too-late'),
    },
  })
  const app = openApiApp()
  answer(app, decide, async (c) => {
    const { session: id, call } = c.req.valid('param')
    const decision = c.req.valid('json')
    const by = c.get('principal').name
    const session = await existingSession(c, deps, id)
    await session.decide(call, { ...defined(decision), by })
    return answerJson({ callId: call, decision: decision.decision, by })
  })
  answer(app, post, async (c) => {
    const { session: id, call } = c.req.valid('param')
    const session = await existingSession(c, deps, id)
    const { content, isError } = c.req.valid('json')
    await session.answer(call, { content, ...defined({ isError }) })
    return answerJson({ callId: call })
  })
  return app
}
