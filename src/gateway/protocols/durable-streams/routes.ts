/**
 * The log of a Session as a stream of JSON messages, to be read by clients of Durable Streams. Writing is for inputs.
 */
import type { Context } from 'hono'
import type { Session } from '../../../client/index.ts'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { requires } from '../../middleware/requires.ts'
import { problemOf, problemResponse } from '../../problem.ts'
import { openApiApp } from '../../routes/app.ts'
import { clientOf } from '../../routes/target.ts'
import { eventStream, type FrameSource } from '../../streams/event-stream.ts'
import { describeRoute } from '../describe-route.ts'
import { type StreamAnswer, StreamReader } from './read-stream.ts'
import type { StreamHead, StreamSource } from './stream-source.ts'

const LONG_POLL_MS = 20_000
const SSE_MS = 60_000
const PAGE = 500

export function durableStreamRoutes(deps: GatewayDeps) {
  const app = openApiApp()
  for (const method of ['get', 'head'] as const)
    describeRoute(app, {
      method,
      path: '/v1/streams/{session}',
      scope: 'read',
      summary: 'Durable Streams: the log as a stream of JSON messages, read only',
      answers: method === 'head' ? [] : ['application/json', 'text/event-stream'],
      others: method === 'head' ? {} : { 204: 'Nothing new, of a long-poll', 304: 'As it was' },
      codes: ['session-not-found'],
    })
  app.on(['GET', 'HEAD'], '/v1/streams/:session', requires(deps, 'read'), async (c) => {
    const reader = new StreamReader(await sourceOf(c, deps, c.req.param('session')), {
      longPollMs: LONG_POLL_MS,
      sseMs: SSE_MS,
      nowMs: Date.now,
      chance: Math.random,
    })
    const ifNoneMatch = c.req.header('if-none-match')
    const request = {
      method: c.req.method === 'HEAD' ? ('HEAD' as const) : ('GET' as const),
      query: new URL(c.req.url).searchParams,
      ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    }
    return respond(c, deps, await reader.answer(request, AbortSignal.any([c.req.raw.signal, deps.closing])))
  })
  return app
}

function respond(c: Context<GatewayEnv>, deps: GatewayDeps, answer: StreamAnswer): Response {
  const { status, headers, body, problem, frames } = answer
  if (problem !== undefined)
    return problemResponse(
      problemOf(status === 404 ? 'session-not-found' : 'invalid-input', problem),
      headers,
    )
  if (frames !== undefined) {
    const source: FrameSource = ({ signal }) => frames(AbortSignal.any([signal, deps.closing]))
    return eventStream(c, deps, source, { headers })
  }
  return new Response(body ?? null, { status, headers })
}

/** A Session's log; a stream that does not exist where there is no such Session. */
async function sourceOf(c: Context<GatewayEnv>, deps: GatewayDeps, id: string): Promise<StreamSource> {
  const client = clientOf(c, deps)
  const session = (await client.has(id)) ? client.session(id) : undefined
  return session === undefined ? NO_STREAM : logOf(deps, c.get('principal').tenant, session)
}

const NO_STREAM: StreamSource = {
  head: () => Promise.resolve(undefined),
  page: () => Promise.reject(new Error('There is no such stream.')),
  changed: () => Promise.resolve(),
}

function logOf(deps: GatewayDeps, tenant: string, session: Session): StreamSource {
  const head = async (): Promise<StreamHead> => {
    const { seq } = await session.position()
    return { contentType: 'application/json', tail: seq, isClosed: false }
  }
  return {
    head,
    async page(after) {
      const events = await session.page({ after, limit: PAGE })
      const next = events.at(-1)?.seq ?? after
      const { tail, ...about } = await head()
      const isWhole = events.length < PAGE
      return {
        messages: events.map((event) => Buffer.from(JSON.stringify(event))),
        next,
        head: { ...about, tail: isWhole ? next : tail },
      }
    },
    async changed(after, signal) {
      for await (const items of deps.tails.follow(session, {
        tenant,
        after,
        signal,
        onOverflow: () => undefined,
      }))
        if (items.some(({ kind }) => kind === 'event')) return
    },
  }
}
