/**
 * The chat of AI SDK UI: `useChat` with its default transport and `api: '/v1/ai-sdk/chat'`.
 *
 * Closing the stream does nothing to the Turn; only the stop endpoint stops it.
 */
import type { Context } from 'hono'
import type { Session } from '../../../client/index.ts'
import { defined } from '../../../core/defined.ts'
import { TurnstepError } from '../../../core/errors.ts'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { demandScope, requires } from '../../middleware/requires.ts'
import { openApiApp } from '../../routes/app.ts'
import { existingSession } from '../../routes/target.ts'
import { eventStream } from '../../streams/event-stream.ts'
import { describeRoute, type ForeignRoute } from '../describe-route.ts'
import { type FollowedTurn, readTurn, runningTurn, sendAndFollow, stopTurn, turnOf } from '../follow-turn.ts'
import { giveDecisions, giveResults } from '../give-answers.ts'
import { parseBody } from '../parse-body.ts'
import { pausedAt } from '../paused-at.ts'
import { sessionFor } from '../session-for.ts'
import { type ChatRequest, ChatRequestBody, readChatRequest } from './chat-request.ts'
import type { UIMessageChunk } from './ui-message-chunk.ts'
import { type PageState, UIMessageStream } from './ui-message-stream.ts'

const HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' }

export function aiSdkRoutes(deps: GatewayDeps) {
  const app = openApiApp()
  for (const route of DESCRIBED) describeRoute(app, route)
  app.post('/v1/ai-sdk/chat', requires(deps, 'send'), async (c) => {
    const body = await parseBody(c, ChatRequestBody)
    const request = readChatRequest(body)
    if (request.kind === 'going-on') return goOn(c, deps, await existingSession(c, deps, body.id), request)
    const { inputId, content } = request
    const session = await sessionFor(c, deps, { id: body.id, agent: body.agent, content })
    const { turn, isNew } = await sendAndFollow(session, inputId, content)
    if (!isNew) demandScope(c.get('principal'), 'read')
    return stream(c, deps, turn)
  })
  app.get('/v1/ai-sdk/chat/:session/stream', requires(deps, 'read'), async (c) => {
    const session = await existingSession(c, deps, c.req.param('session'))
    const turn = await runningTurn(session)
    return turn === undefined ? c.body(null, 204) : stream(c, deps, turn)
  })
  app.post('/v1/ai-sdk/chat/:session/stop', requires(deps, 'abort'), async (c) =>
    stopTurn(await existingSession(c, deps, c.req.param('session')), deps.limits.abortMs),
  )
  return app
}

const DESCRIBED: readonly ForeignRoute[] = [
  {
    method: 'post',
    path: '/v1/ai-sdk/chat',
    scope: 'send',
    summary: 'AI SDK UI: send a message, or go on with one; streams the answer',
    answers: ['text/event-stream'],
    hasBody: true,
    codes: ['session-not-found', 'unknown-agent', 'arguments-changed'],
  },
  {
    method: 'get',
    path: '/v1/ai-sdk/chat/{session}/stream',
    scope: 'read',
    summary: 'AI SDK UI: resume the stream of the running turn, 204 when none runs',
    answers: ['text/event-stream'],
    others: { 204: 'No turn runs' },
    codes: ['session-not-found'],
  },
  {
    method: 'post',
    path: '/v1/ai-sdk/chat/{session}/stop',
    scope: 'abort',
    summary: 'AI SDK UI: stop the running turn',
    answers: ['application/json'],
    others: { 202: 'It was told to stop and has not ended yet' },
    codes: ['session-not-found', 'turn-not-running'],
  },
]

async function goOn(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  session: Session,
  request: Extract<ChatRequest, { kind: 'going-on' }>,
): Promise<Response> {
  const { turnId, decisions, results } = request
  const turn = await turnOf(session, turnId)
  if (turn === undefined)
    throw new TurnstepError('turn-not-found', `Session ${session.id} has no turn ${turnId} to go on with.`)
  const { name, scopes } = c.get('principal')
  demandScope(c.get('principal'), 'read')
  if (decisions.length > 0) demandScope(c.get('principal'), 'approve')
  const callIds = new Set([...decisions, ...results].map(({ callId }) => callId))
  const log = session.events({ after: turn.after })
  const known = request.after ?? (await pausedAt(log, turn.choice, callIds))
  await giveDecisions(session, decisions, name)
  if (scopes.has('send')) await giveResults(session, results)
  return stream(c, deps, turn, { ...defined({ after: known }), given: callIds })
}

function stream(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  turn: FollowedTurn,
  page: PageState = {},
): Response {
  const reader = new UIMessageStream(turn.choice, page)
  return eventStream(
    c,
    deps,
    async function* (reading) {
      for await (const chunk of readTurn(c, deps, { turn, reader, ...reading })) yield frame(chunk)
      yield reader.isOver ? 'data: [DONE]\n\n' : frame(BROKEN_OFF)
    },
    { headers: HEADERS, goodbye: frame(BROKEN_OFF) },
  )
}

/** A stream that ends without this would look like a whole message. */
const BROKEN_OFF: UIMessageChunk = {
  type: 'error',
  errorText: 'The stream broke off. The turn goes on: resume it.',
}

function frame(chunk: UIMessageChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
