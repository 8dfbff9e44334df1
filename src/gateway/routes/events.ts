/**
 * The log, a page at a time or as it grows.
 */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Session } from '../../client/index.ts'
import { TurnstepError } from '../../core/errors.ts'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'
import { needs } from '../middleware/requires.ts'
import { problems } from '../schemas/answers.ts'
import { EventSchema, SessionParams } from '../schemas/common.ts'
import { eventStream } from '../streams/event-stream.ts'
import { frameOf } from '../streams/sse-frame.ts'
import type { TailItem } from '../streams/tail-item.ts'
import { answerJson } from './answer-json.ts'
import { answer, openApiApp } from './app.ts'
import { existingSession } from './target.ts'

const EventsQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .openapi({ type: 'integer', description: 'Only events after this seq' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(500)
    .openapi({ type: 'integer', description: 'Of a page' }),
  live: z
    .enum(['0', '1'])
    .default('0')
    .openapi({ description: '1: a stream also has the text that is being written' }),
})

const EventPage = z.object({ events: z.array(EventSchema), nextAfter: z.int() }).openapi('EventPage')

export function eventRoutes(deps: GatewayDeps) {
  const events = createRoute({
    method: 'get',
    path: '/v1/sessions/{session}/events',
    summary: 'The log: a page, or a stream that stays open',
    description:
      'With `Accept: text/event-stream` a stream, which goes on after `Last-Event-ID` where that is sent, else after `after`.',
    ...needs(deps, 'read'),
    request: {
      params: SessionParams,
      query: EventsQuery,
      headers: z.object({
        'last-event-id': z
          .string()
          .regex(/^\d{0,15}$/, 'It must be the id of an event')
          .optional(),
      }),
    },
    responses: {
      200: {
        description: 'Events in order',
        content: {
          'application/json': { schema: EventPage },
          'text/event-stream': { schema: z.string() },
        },
      },
      ...problems('session-not-found'),
    },
  })
  const app = openApiApp()
  answer(app, events, async (c) => {
    const { limit, live, ...query } = c.req.valid('query')
    const session = await existingSession(c, deps, c.req.valid('param').session)
    const isStream = c.req.method === 'GET' && prefersStream(c.req.header('accept'))
    const lastEventId = isStream ? c.req.valid('header')['last-event-id'] : undefined
    const after = lastEventId ? Number(lastEventId) : query.after
    await checkPosition(session, after)
    if (isStream) return streamEvents(c, deps, { session, after, live: live === '1' })
    const page = await session.page({ after, limit })
    return answerJson({ events: page, nextAfter: page.at(-1)?.seq ?? after })
  })
  return app
}

interface Wanted {
  readonly session: Session
  readonly after: number
  readonly live: boolean
}

function streamEvents(c: Context<GatewayEnv>, deps: GatewayDeps, { session, after, live }: Wanted): Response {
  const { tenant } = c.get('principal')
  const isWanted = (item: TailItem): boolean => live || item.kind === 'event' || item.kind === 'status'
  return eventStream(c, deps, async function* ({ signal, cut }) {
    for await (const items of deps.tails.follow(session, { tenant, after, signal, onOverflow: cut })) {
      const frames = items.filter(isWanted).map(frameOf)
      if (frames.length > 0) yield frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames)
    }
  })
}

/** Fails with `invalid-input` for a position that the log has not reached: it is another log's, or a later one's. */
async function checkPosition(session: Session, after: number): Promise<void> {
  if (after === 0) return
  const { seq } = await session.position()
  if (after <= seq) return
  throw new TurnstepError(
    'invalid-input',
    `Session ${session.id} has no event ${after}: its log ends at ${seq}.`,
  )
}

/** Whether a stream is asked for, and not JSON before it. */
function prefersStream(accept = ''): boolean {
  const types = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  const stream = types.indexOf('text/event-stream')
  const page = types.indexOf('application/json')
  return stream >= 0 && (page < 0 || stream < page)
}
