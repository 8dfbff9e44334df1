/**
 * An agent for clients of AG-UI: `HttpAgent` with the URL of `/v1/ag-ui`. The thread is the Session.
 *
 * Closing the stream does nothing to the Turn; only the stop endpoint stops it. The same run posted again is told
 * again, from its beginning.
 */
import type { Context } from 'hono'
import type { z } from 'zod'
import type { Session } from '../../../client/index.ts'
import { TurnstepError } from '../../../core/errors.ts'
import type { GatewayDeps, GatewayEnv } from '../../gateway-deps.ts'
import { demandScope, requires } from '../../middleware/requires.ts'
import { openApiApp } from '../../routes/app.ts'
import { existingSession } from '../../routes/target.ts'
import { eventStream, type FrameSource } from '../../streams/event-stream.ts'
import { describeRoute, type ForeignRoute } from '../describe-route.ts'
import { type FollowedTurn, readTurn, sendAndFollow, stopTurn } from '../follow-turn.ts'
import { giveDecisions, giveResults } from '../give-answers.ts'
import { parseBody } from '../parse-body.ts'
import { pausedAt } from '../paused-at.ts'
import { sessionFor } from '../session-for.ts'
import type { AgUiEvent } from './ag-ui-event.ts'
import { AgentRun } from './agent-run.ts'
import { RunAgentInput, type RunAsked, readRunInput } from './run-request.ts'

export function agUiRoutes(deps: GatewayDeps) {
  const app = openApiApp()
  for (const route of DESCRIBED) describeRoute(app, route)
  app.post('/v1/ag-ui', requires(deps, 'send'), async (c) => {
    const input = await parseBody(c, RunAgentInput)
    const asked = readRunInput(input)
    const id = input.threadId
    if (asked.kind === 'message') {
      const session = await sessionFor(c, deps, { id, agent: c.req.query('agent'), content: asked.content })
      const { turn, isNew } = await sendAndFollow(session, asked.inputId, asked.content)
      if (!isNew) demandScope(c.get('principal'), 'read')
      return stream(c, deps, { input, turn, after: 0, given: new Set() })
    }
    return goOn(c, deps, { input, asked, session: await existingSession(c, deps, id) })
  })
  app.post('/v1/ag-ui/:session/stop', requires(deps, 'abort'), async (c) =>
    stopTurn(await existingSession(c, deps, c.req.param('session')), deps.limits.abortMs),
  )
  return app
}

const DESCRIBED: readonly ForeignRoute[] = [
  {
    method: 'post',
    path: '/v1/ag-ui',
    scope: 'send',
    summary: 'AG-UI: run the agent on a thread; streams the run',
    answers: ['text/event-stream'],
    hasBody: true,
    codes: ['session-not-found', 'turn-not-found', 'unknown-agent', 'arguments-changed'],
  },
  {
    method: 'post',
    path: '/v1/ag-ui/{session}/stop',
    scope: 'abort',
    summary: 'AG-UI: stop the running turn of a thread',
    answers: ['application/json'],
    others: { 202: 'It was told to stop and has not ended yet' },
    codes: ['session-not-found', 'turn-not-running'],
  },
]

type Input = z.infer<typeof RunAgentInput>

async function goOn(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  given: {
    readonly input: Input
    readonly asked: Extract<RunAsked, { kind: 'going-on' }>
    readonly session: Session
  },
): Promise<Response> {
  const { input, session } = given
  const { callIds, decisions, results } = given.asked
  const turn = await turnOfCalls(session, callIds)
  demandScope(c.get('principal'), 'read')
  if (decisions.length > 0) demandScope(c.get('principal'), 'approve')
  const log = session.events({ after: turn.after })
  const after = (await pausedAt(log, turn.choice, callIds)) ?? 0
  await giveDecisions(session, decisions, c.get('principal').name)
  await giveResults(session, results)
  return stream(c, deps, { input, turn, after, given: callIds })
}

/** The Turn of these calls, whose ids say its ordinal. Fails with `turn-not-found`. */
async function turnOfCalls(session: Session, callIds: ReadonlySet<string>): Promise<FollowedTurn> {
  const ordinals = new Set([...callIds].map((callId) => Number(/^[a-z](\d+)_/.exec(callId)?.[1] ?? 0)))
  for await (const event of session.events()) {
    if (event.type !== 'turn/start' || !ordinals.has(event.turn)) continue
    return { session, choice: { turnId: event.turnId }, after: event.seq - 1 }
  }
  throw new TurnstepError(
    'turn-not-found',
    `Session ${session.id} has no turn with the call ${[...callIds].join(', ')}.`,
  )
}

interface Told {
  readonly input: Input
  readonly turn: FollowedTurn
  /** Runs before this one told of events up to this `seq`. */
  readonly after: number
  readonly given: ReadonlySet<string>
}

function stream(c: Context<GatewayEnv>, deps: GatewayDeps, { input, turn, after, given }: Told): Response {
  const { threadId, runId, state, messages } = input
  const reader = new AgentRun({ threadId, runId, state, messages, choice: turn.choice, after, given })
  const source: FrameSource = async function* (reading) {
    yield [...reader.start(), ...ignored(input)].map(frame).join('')
    for await (const event of readTurn(c, deps, { turn, reader, ...reading })) yield frame(event)
    if (!reader.isOver) yield frame(BROKEN_OFF)
  }
  return eventStream(c, deps, source, { goodbye: frame(BROKEN_OFF) })
}

/** What was sent and is the agent's business here: said rather than silently left out. */
function ignored({ tools = [], context = [] }: Input): readonly AgUiEvent[] {
  if (tools.length === 0 && context.length === 0) return []
  const value = {
    tools: tools.map(({ name }) => name),
    context: context.map(({ description }) => description),
  }
  return [{ type: 'CUSTOM', name: 'turnstep.ignored', value }]
}

const BROKEN_OFF: AgUiEvent = {
  type: 'RUN_ERROR',
  message: 'The stream broke off. The turn goes on: post the same run again.',
  code: 'stream-broken-off',
}

function frame(event: AgUiEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
