/**
 * The gateway's calls, one function each.
 */
import type { DecisionKind } from '../../core/event.ts'
import type {
  AbortAnswer,
  AgentDescription,
  ConsoleConfig,
  InputLane,
  SessionStatus,
  SessionSummary,
  SpillMatchesAnswer,
  SpillPageAnswer,
  TurnSpending,
} from './answers.ts'
import { request, sessionPath } from './request.ts'

export async function listSessions(limit: number): Promise<readonly SessionSummary[]> {
  const { sessions } = await request<{ sessions: readonly SessionSummary[] }>(`/v1/sessions?limit=${limit}`)
  return sessions
}

export async function listAgents(): Promise<readonly AgentDescription[]> {
  const { agents } = await request<{ agents: readonly AgentDescription[] }>('/v1/agents')
  return agents
}

export function readConfig(): Promise<ConsoleConfig> {
  return request('/console/config.json')
}

export function createSession(session: {
  readonly id: string
  readonly agent?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}): Promise<unknown> {
  return request('/v1/sessions', { method: 'POST', body: session })
}

export function readStatus(session: string, signal: AbortSignal): Promise<SessionStatus> {
  return request(sessionPath(session), { signal })
}

export function readTurn(session: string, turnId: string): Promise<TurnSpending> {
  return request(sessionPath(session, 'turns', turnId))
}

/** The same id may be sent again, when nothing is known of the answer: it counts once. */
export function sendInput(
  session: string,
  input: {
    readonly id: string
    readonly content: string
    readonly lane: InputLane
    readonly expectedTurnId?: string
  },
): Promise<{ readonly inputId: string }> {
  return request(sessionPath(session, 'inputs'), { method: 'POST', body: input })
}

export function withdrawInput(session: string, inputId: string): Promise<unknown> {
  return request(sessionPath(session, 'inputs', inputId), { method: 'DELETE' })
}

export interface StopOptions {
  readonly turnId?: string
  readonly mode?: 'now' | 'after-step'
  readonly queue?: 'withdraw' | 'run'
}

export function stopTurn(session: string, options: StopOptions): Promise<AbortAnswer> {
  return request(sessionPath(session, 'abort'), { method: 'POST', body: options })
}

export interface Decision {
  readonly decision: DecisionKind
  readonly argumentsDigest: string
  readonly scope?: 'session'
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly text?: string
  readonly note?: string
}

export function decide(session: string, callId: string, decision: Decision): Promise<unknown> {
  return request(sessionPath(session, 'approvals', callId), { method: 'POST', body: decision })
}

export function readSpill(
  session: string,
  id: string,
  page: { readonly from: number; readonly lines: number },
): Promise<SpillPageAnswer> {
  return request(`${sessionPath(session, 'spills', id)}?from=${page.from}&lines=${page.lines}`)
}

export function searchSpill(session: string, id: string, pattern: string): Promise<SpillMatchesAnswer> {
  return request(`${sessionPath(session, 'spills', id)}?grep=${encodeURIComponent(pattern)}&lines=200`)
}
