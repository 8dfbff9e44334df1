import { defined } from '../core/defined.ts'
import type { ListedSession, SessionStore } from '../core/ports.ts'
import { INITIAL_STATE, stateAfter } from '../core/turn-state.ts'

export interface SessionSummary {
  readonly sessionId: string
  readonly agent?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** By the log: a Turn that was sent for and has not opened does not show. */
  readonly phase: 'idle' | 'running' | 'waiting_human'
  /** Set while a Turn is open. */
  readonly turnId?: string
  /** ISO 8601. */
  readonly changedAt: string
}

/** A tenant's Sessions by last change, newest first. */
export async function listSessions(
  store: SessionStore,
  query: { readonly tenant: string; readonly limit: number },
): Promise<readonly SessionSummary[]> {
  const listed = await store.sessions(query)
  return Promise.all(listed.map((session) => summarize(store, session)))
}

async function summarize(store: SessionStore, session: ListedSession): Promise<SessionSummary> {
  const { key, head, agent, metadata, changedAt } = session
  const { open } = head
  const about = defined({ sessionId: key.session, agent, metadata, changedAt })
  if (open === undefined) return { ...about, phase: 'idle' }
  const events = await store.read(key, { turnId: open.turnId })
  const { phase } = events.reduce(stateAfter, INITIAL_STATE)
  return { ...about, phase: phase === 'waiting_human' ? phase : 'running', turnId: open.turnId }
}
