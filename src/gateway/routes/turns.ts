/**
 * Turns, and the large outputs that were kept beside them.
 */
import { createRoute, z } from '@hono/zod-openapi'
import type { Session } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'
import { isTurnstepError } from '../../core/errors.ts'
import type { GatewayDeps } from '../gateway-deps.ts'
import { needs } from '../middleware/requires.ts'
import { json, problems } from '../schemas/answers.ts'
import { Id, SessionParams } from '../schemas/common.ts'
import { SpillAnswer, SpillQuerySchema, TurnReportSchema } from '../schemas/turn.ts'
import { answerJson } from './answer-json.ts'
import { answer, openApiApp } from './app.ts'
import { existingSession } from './target.ts'
import { waiting } from './waiting.ts'

export function turnRoutes(deps: GatewayDeps) {
  const turn = createRoute({
    method: 'get',
    path: '/v1/sessions/{session}/turns/{turn}',
    summary: 'How a turn stands or ended',
    description:
      'By its id, or that of any input that it claimed. Waits for its end for `wait` seconds at most.',
    ...needs(deps, 'read'),
    request: {
      params: SessionParams.extend({ turn: Id.openapi({ param: { name: 'turn', in: 'path' } }) }),
      query: z.object({
        wait: z.coerce.number().min(0).max(deps.limits.waitSeconds).default(0).openapi({ type: 'number' }),
      }),
    },
    responses: {
      200: json(TurnReportSchema, 'The turn'),
      ...problems('session-not-found', 'turn-not-found'),
    },
  })
  const spill = createRoute({
    method: 'get',
    path: '/v1/sessions/{session}/spills/{spill}',
    summary: 'Read or search a large output',
    ...needs(deps, 'read'),
    request: {
      params: SessionParams.extend({ spill: Id.openapi({ param: { name: 'spill', in: 'path' } }) }),
      query: SpillQuerySchema,
    },
    responses: {
      200: json(SpillAnswer, 'Lines, or matches with `grep`'),
      ...problems('session-not-found', 'spill-not-found'),
    },
  })
  const app = openApiApp()
  answer(app, turn, async (c) => {
    const { session: id, turn: turnId } = c.req.valid('param')
    const { wait } = c.req.valid('query')
    const session = await existingSession(c, deps, id)
    const timeoutMs = wait * 1_000
    if (wait > 0)
      await waiting(deps, c.req.raw, (signal) => waitForEnd(session, turnId, { timeoutMs, signal }))
    return answerJson(await session.turn(turnId).report())
  })
  answer(app, spill, async (c) => {
    const { session: id, spill: spillId } = c.req.valid('param')
    const { grep, ...query } = c.req.valid('query')
    const session = await existingSession(c, deps, id)
    const place = defined(query)
    return answerJson(
      grep === undefined
        ? await session.spill(spillId, place)
        : await session.spill(spillId, { ...place, grep }),
    )
  })
  return app
}

/** Waits until the Turn has ended, the time is over, or nobody waits any more. */
async function waitForEnd(
  session: Session,
  turnId: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await session.turn(turnId).result({ timeoutMs, signal })
  } catch (error) {
    if (signal.aborted) return
    if (isTurnstepError(error) && (error.code === 'timed-out' || error.code === 'input-not-found')) return
    throw error
  }
}
