/**
 * Inputs: sending, what became of them, taking them back; and the stop.
 */
import { createRoute, type z } from '@hono/zod-openapi'
import type { Session } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'
import { isTurnstepError, TurnstepError } from '../../core/errors.ts'
import type { Content } from '../../core/message.ts'
import type { GatewayDeps } from '../gateway-deps.ts'
import { demandScope, needs } from '../middleware/requires.ts'
import { HttpProblem, problemOf } from '../problem.ts'
import { body, json, OF_BODY, problems } from '../schemas/answers.ts'
import { Id, SessionParams } from '../schemas/common.ts'
import {
  AbortBody,
  Aborted,
  AbortPending,
  AcceptedInput,
  InputFateSchema,
  NewInput,
} from '../schemas/input.ts'
import { answerJson } from './answer-json.ts'
import { answer, openApiApp } from './app.ts'
import { clientOf, existingSession } from './target.ts'
import { waiting } from './waiting.ts'

const InputParams = SessionParams.extend({ input: Id.openapi({ param: { name: 'input', in: 'path' } }) })

export function inputRoutes(deps: GatewayDeps) {
  const send = createRoute({
    method: 'post',
    path: '/v1/sessions/{session}/inputs',
    summary: 'Send a message: for a turn of its own, or into the one that runs',
    description:
      'A session that does not exist is created. `next-turn` needs the scope `send`, `next-step` the scope `steer`, `interrupt` also `abort`.',
    ...needs(deps, 'send', 'steer'),
    request: { params: SessionParams, body: body(NewInput) },
    responses: { 202: json(AcceptedInput, 'It will have a fate'), ...problems(...OF_BODY, 'session-busy') },
  })
  const fate = createRoute({
    method: 'get',
    path: '/v1/sessions/{session}/inputs/{input}',
    summary: 'What became of a message',
    ...needs(deps, 'read'),
    request: { params: InputParams },
    responses: {
      200: json(InputFateSchema, 'Its fate so far'),
      ...problems('session-not-found', 'input-not-found'),
    },
  })
  const withdraw = createRoute({
    method: 'delete',
    path: '/v1/sessions/{session}/inputs/{input}',
    summary: 'Take back a message that still waits',
    ...needs(deps, 'send', 'steer'),
    request: { params: InputParams },
    responses: {
      200: json(InputFateSchema, 'It is withdrawn'),
      ...problems(...OF_BODY, 'session-not-found', 'input-not-found', 'input-already-claimed'),
    },
  })
  const abort = createRoute({
    method: 'post',
    path: '/v1/sessions/{session}/abort',
    summary: 'Stop the running turn, and wait for its end',
    ...needs(deps, 'abort'),
    request: { params: SessionParams, body: body(AbortBody) },
    responses: {
      200: json(Aborted, 'It has ended'),
      202: json(AbortPending, 'It was told to stop and has not ended yet'),
      ...problems(...OF_BODY, 'session-not-found', 'turn-not-running'),
    },
  })
  const app = openApiApp()
  answer(app, send, async (c) => {
    const input = c.req.valid('json')
    demandScope(c.get('principal'), input.lane === 'next-step' ? 'steer' : 'send')
    if (input.whenBusy === 'interrupt') demandScope(c.get('principal'), 'abort')
    checkNotify(deps, input.notify)
    const client = clientOf(c, deps)
    const { session } = c.req.valid('param')
    // What is refused leaves no session behind.
    const sent = await sendInput(client.session(session), input)
    if (!(await client.has(session))) await client.createSession(session)
    return answerJson(sent, 202)
  })
  answer(app, fate, async (c) => {
    const { session: id, input } = c.req.valid('param')
    const session = await existingSession(c, deps, id)
    return answerJson(await session.input(input))
  })
  answer(app, withdraw, async (c) => {
    const { session: id, input } = c.req.valid('param')
    const session = await existingSession(c, deps, id)
    await session.withdraw(input)
    return answerJson({ inputId: input, fate: 'withdrawn' })
  })
  answer(app, abort, async (c) => {
    const session = await existingSession(c, deps, c.req.valid('param').session)
    try {
      const options = { ...defined(c.req.valid('json')), timeoutMs: deps.limits.abortMs }
      // It is bounded, and goes on without its client: the stop was meant.
      return answerJson(await waiting(deps, c.req.raw, () => session.abort(options)))
    } catch (error) {
      if (!isTurnstepError(error) || error.code !== 'abort-pending') throw error
      return answerJson({ status: 'abort-pending' }, 202)
    }
  })
  return app
}

/** Fails with `forbidden` for a workflow that is not to be signalled for whoever may send a message. */
function checkNotify(deps: GatewayDeps, notify: z.infer<typeof NewInput>['notify']): void {
  if (notify === undefined || !('workflowId' in notify) || deps.mayNotify(notify.workflowId)) return
  throw new HttpProblem(
    problemOf('forbidden', 'This workflow may not be signalled. TURNSTEP_NOTIFY_WORKFLOWS says which may.'),
  )
}

/** Fails with `invalid-input` where options of the other lane are given. */
async function sendInput(session: Session, input: z.infer<typeof NewInput>): Promise<{ inputId: string }> {
  const { lane, whenBusy, expectedTurnId, ifStale, content: _, ...about } = input
  // What is left out of a part is absent, not undefined, in JSON.
  const content = input.content as Content
  if (lane === 'next-turn') {
    if (expectedTurnId !== undefined || ifStale !== undefined)
      throw new TurnstepError('invalid-input', 'expectedTurnId and ifStale are for the lane next-step.')
    return session.followup(content, defined({ ...about, whenBusy }))
  }
  if (whenBusy !== undefined) throw new TurnstepError('invalid-input', 'whenBusy is for the lane next-turn.')
  return session.steer(content, defined({ ...about, expectedTurnId, ifStale }))
}
