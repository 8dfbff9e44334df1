import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import type { Session } from '../../../client/index.ts'
import { isTurnstepError, TurnstepError } from '../../../core/errors.ts'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { demandScope, requires } from '../../middleware/requires.ts'
import { HttpProblem, problemOf } from '../../problem.ts'
import { clientOf } from '../../routes/target.ts'
import { eventStream, type FrameSource } from '../../streams/event-stream.ts'
import { type FollowedTurn, readTurn, turnOf } from '../follow-turn.ts'
import { parseBody } from '../parse-body.ts'
import { type AnswerPlace, answerIdOf, parseAnswerId } from './answer-id.ts'
import { namedSession, placeOfRequest, RecentRequests } from './caller-request.ts'
import { checkSupported } from './chat-request.ts'
import { hearTurn } from './hear-turn.ts'
import { openAnswer } from './open-answer.ts'
import { type ResponsePlace, responseOf } from './response-object.ts'
import { messagesOf, REFUSED_IN_RESPONSES, ResponseBody } from './response-request.ts'
import { ResponseStream } from './response-stream.ts'
import { SpokenTurn } from './spoken-turn.ts'

const PREFIX = 'resp_'

export function responseRoutes(deps: GatewayDeps): Hono<GatewayEnv> {
  const recent = new RecentRequests()
  const app = new Hono<GatewayEnv>()
  app.post('/v1/responses', requires(deps, 'send'), async (c) => {
    const body = await parseBody(c, ResponseBody)
    checkSupported(body, REFUSED_IN_RESPONSES)
    const previous = await previousOf(c, deps, body.previous_response_id)
    const place = await placeOfRequest(c, recent, previous?.session.id ?? namedSession(c, body.metadata))
    if (previous !== undefined) await checkIsLast(previous, place)
    const turn = await openAnswer(c, deps, { place, agent: body.model, messages: messagesOf(body) })
    return respond(c, deps, { turn, body, response: responsePlace(place, body) })
  })
  app.get('/v1/responses/:id', requires(deps, 'read'), async (c) => {
    if (c.req.query('stream') === 'true')
      throw new TurnstepError('invalid-input', 'A response that began is not streamed again.')
    return c.json(await retrieve(await answerAt(c, deps, c.req.param('id')), c.req.param('id')))
  })
  app.post('/v1/responses/:id/cancel', requires(deps, 'abort'), async (c) => {
    // It is answered with all that was said.
    demandScope(c.get('principal'), 'read')
    const answer = await answerAt(c, deps, c.req.param('id'))
    await cancel(answer, deps.limits.abortMs)
    return c.json(await retrieve(answer, c.req.param('id')))
  })
  return app
}

type Body = z.infer<typeof ResponseBody>

function responsePlace(place: AnswerPlace, body: Body): ResponsePlace {
  return {
    id: answerIdOf(PREFIX, place),
    session: place.session,
    model: body.model,
    askedAt: new Date().toISOString(),
    background: body.background === true,
    metadata: body.metadata ?? {},
    ...(body.previous_response_id == null ? {} : { previousId: body.previous_response_id }),
  }
}

interface Asked {
  readonly turn: FollowedTurn
  readonly body: Body
  readonly response: ResponsePlace
}

async function respond(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  { turn, body, response }: Asked,
): Promise<Response> {
  if (body.stream === true) {
    const reader = new ResponseStream(response, turn.choice)
    const source: FrameSource = async function* (reading) {
      yield reader.start().map(frame).join('')
      for await (const event of readTurn(c, deps, { turn, reader, ...reading })) yield frame(event)
      if (!reader.isOver) yield frame(BROKEN_OFF)
    }
    return eventStream(c, deps, source, { goodbye: frame(BROKEN_OFF) })
  }
  const reader = new SpokenTurn(turn.choice)
  if (body.background === true) return c.json(responseOf(response, await listenedTo(turn, reader)))
  await hearTurn(c, deps, turn, reader)
  if (reader.isOver) return c.json(responseOf(response, reader))
  throw new HttpProblem(
    problemOf('shutting-down', 'The gateway goes. Retrieve the response later, or repeat the request.'),
  )
}

/** An answer that was asked for before. */
interface Answer {
  readonly session: Session
  readonly inputId: string
}

/** Fails with `not-found` for an id of which the tenant has no response. */
async function answerAt(c: Context<GatewayEnv>, deps: GatewayDeps, id: string): Promise<Answer> {
  const place = parseAnswerId(PREFIX, id)
  const client = clientOf(c, deps)
  if (place === undefined || !(await client.has(place.session)))
    throw new HttpProblem(problemOf('not-found', `There is no response ${id}.`))
  return { session: client.session(place.session), inputId: place.inputId }
}

async function retrieve({ session, inputId }: Answer, id: string) {
  const turn = await turnOf(session, inputId)
  if (turn === undefined) await session.input(inputId)
  const reader = new SpokenTurn(turn?.choice ?? { inputId })
  if (turn !== undefined) await listenedTo(turn, reader)
  const place = { id, session: session.id, model: reader.agent ?? '', askedAt: new Date().toISOString() }
  return responseOf(place, reader)
}

/** The reader, once it has heard what the log has. */
async function listenedTo({ session, after }: FollowedTurn, reader: SpokenTurn): Promise<SpokenTurn> {
  for await (const event of session.events({ after })) {
    reader.read({ kind: 'event', event })
    if (reader.isOver) break
  }
  return reader
}

async function cancel({ session, inputId }: Answer, timeoutMs: number): Promise<void> {
  const turn = await turnOf(session, inputId)
  try {
    if (turn === undefined) return await session.withdraw(inputId)
    if (typeof turn.choice === 'object' && 'turnId' in turn.choice)
      await session.abort({ turnId: turn.choice.turnId, timeoutMs })
  } catch (error) {
    // It is over, or it will be: the response says which.
    if (!isTurnstepError(error) || !(error.code === 'turn-not-running' || error.code === 'abort-pending'))
      throw error
  }
}

async function previousOf(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  id: string | null | undefined,
): Promise<Answer | undefined> {
  return id === undefined || id === null ? undefined : answerAt(c, deps, id)
}

/** A Session has one history: only its last answer can be gone on from. Fails with `invalid-input`. */
async function checkIsLast({ session, inputId }: Answer, place: AnswerPlace): Promise<void> {
  const turn = await turnOf(session, inputId)
  if (turn === undefined || (await turnOf(session, place.inputId)) !== undefined) return
  let turns = 0
  for await (const event of session.events({ after: turn.after })) if (event.type === 'turn/start') turns += 1
  if (turns > 1)
    throw new TurnstepError(
      'invalid-input',
      'previous_response_id is not the last response of its session, which cannot be forked.',
    )
}

const BROKEN_OFF = {
  type: 'error',
  code: 'stream_broken_off',
  message: 'The stream broke off. The turn goes on: retrieve the response.',
  param: null,
  sequence_number: 0,
}

function frame(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
