import { type Context, Hono } from 'hono'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { requires } from '../../middleware/requires.ts'
import { HttpProblem, problemOf } from '../../problem.ts'
import { eventStream } from '../../streams/event-stream.ts'
import { type FollowedTurn, readTurn } from '../follow-turn.ts'
import { parseBody } from '../parse-body.ts'
import { answerIdOf } from './answer-id.ts'
import { namedSession, placeOfRequest, RecentRequests } from './caller-request.ts'
import { type CompletionPlace, completionOf } from './chat-completion.ts'
import { ChatCompletionStream } from './chat-completion-stream.ts'
import { ChatCompletionBody, checkSupported, messagesOf } from './chat-request.ts'
import { hearTurn } from './hear-turn.ts'
import { openAnswer } from './open-answer.ts'
import { openAiError } from './openai-error.ts'
import { SpokenTurn } from './spoken-turn.ts'

export function chatCompletionRoutes(deps: GatewayDeps): Hono<GatewayEnv> {
  const recent = new RecentRequests()
  const app = new Hono<GatewayEnv>()
  app.post('/v1/chat/completions', requires(deps, 'send'), async (c) => {
    const body = await parseBody(c, ChatCompletionBody)
    checkSupported(body)
    const place = await placeOfRequest(c, recent, namedSession(c, body.metadata))
    const turn = await openAnswer(c, deps, { place, agent: body.model, messages: messagesOf(body) })
    const completion = { id: answerIdOf('chatcmpl-', place), session: place.session, model: body.model }
    c.header('x-turnstep-session', place.session)
    if (body.stream !== true) return whole(c, deps, { turn, completion })
    return stream(c, deps, { turn, completion, includeUsage: body.stream_options?.include_usage === true })
  })
  return app
}

interface Answer {
  readonly turn: FollowedTurn
  readonly completion: CompletionPlace
}

async function whole(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  { turn, completion }: Answer,
): Promise<Response> {
  const reader = new SpokenTurn(turn.choice)
  await hearTurn(c, deps, turn, reader)
  if (reader.end !== undefined) return c.json(completionOf(completion, reader, reader.end))
  const { reason, fate } = reader.lostInput ?? {}
  if (fate !== undefined)
    throw new HttpProblem(problemOf('invalid-input', `The message was not taken: ${reason ?? fate}.`))
  throw new HttpProblem(
    problemOf('shutting-down', 'The gateway goes. Repeat the request with its Idempotency-Key.'),
  )
}

function stream(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  { turn, completion, includeUsage }: Answer & { readonly includeUsage: boolean },
): Response {
  const reader = new ChatCompletionStream(completion, turn.choice, { includeUsage })
  return eventStream(
    c,
    deps,
    async function* (reading) {
      for await (const chunk of readTurn(c, deps, { turn, reader, ...reading })) yield frame(chunk)
      yield reader.isOver ? 'data: [DONE]\n\n' : frame(BROKEN_OFF)
    },
    { headers: { 'x-turnstep-session': completion.session }, goodbye: frame(BROKEN_OFF) },
  )
}

const BROKEN_OFF = openAiError(
  'server_error',
  'The stream broke off. The turn goes on; repeat the request with its Idempotency-Key to get the whole answer.',
  'stream_broken_off',
)

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
