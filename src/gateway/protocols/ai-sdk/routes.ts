/**
 * The chat of AI SDK UI: `useChat` with its default transport and `api: '/v1/ai-sdk/chat'`.
 *
 * Closing the stream does nothing to the Turn; only the stop endpoint stops it.
 */
import { type Context, Hono } from 'hono'
import type { Session } from '../../../client/index.ts'
import { TurnstepError } from '../../../core/errors.ts'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { demandScope, requires } from '../../middleware/requires.ts'
import { existingSession } from '../../routes/target.ts'
import { eventStream } from '../../streams/event-stream.ts'
import { type FollowedTurn, readTurn, runningTurn, sendAndFollow, stopTurn, turnOf } from '../follow-turn.ts'
import { giveDecisions, giveResults } from '../give-answers.ts'
import { parseBody } from '../parse-body.ts'
import { pausedAt } from '../paused-at.ts'
import { sessionFor } from '../session-for.ts'
import { type ChatRequest, ChatRequestBody, readChatRequest } from './chat-request.ts'
import type { UIMessageChunk } from './ui-message-chunk.ts'
import { UIMessageStream } from './ui-message-stream.ts'

const HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' }

export function aiSdkRoutes(deps: GatewayDeps): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>()
  app.post('/v1/ai-sdk/chat', requires(deps, 'send'), async (c) => {
    const body = await parseBody(c, ChatRequestBody)
    const request = readChatRequest(body)
    if (request.kind === 'going-on') return goOn(c, deps, await existingSession(c, deps, body.id), request)
    const session = await sessionFor(c, deps, { id: body.id, agent: body.agent })
    return stream(c, deps, await sendAndFollow(session, request.inputId, request.content))
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
  if (decisions.length > 0) demandScope(c.get('principal'), 'approve')
  const callIds = new Set([...decisions, ...results].map(({ callId }) => callId))
  const known =
    request.after ?? pausedAt(await session.page({ after: turn.after, limit: 10_000 }), turn.choice, callIds)
  await giveDecisions(session, decisions, name)
  if (scopes.has('send')) await giveResults(session, results)
  return stream(c, deps, turn, known)
}

/** `known`: what the page has of the Turn, up to this `seq`. */
function stream(c: Context<GatewayEnv>, deps: GatewayDeps, turn: FollowedTurn, known = 0): Response {
  const reader = new UIMessageStream(turn.choice, known)
  return eventStream(
    c,
    deps,
    async function* (reading) {
      for await (const chunk of readTurn(c, deps, { turn, reader, ...reading })) yield frame(chunk)
      yield reader.isOver ? 'data: [DONE]\n\n' : frame(BROKEN_OFF)
    },
    HEADERS,
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
