/**
 * Everything that a page knows of its Session: a value that messages of the stream, answers and actions move on.
 */

import type { Event } from '../../core/event.ts'
import type { LiveDelta } from '../../core/ports.ts'
import type { PendingInput, SessionStatus } from '../api/answers.ts'
import type { ApiProblem } from '../api/problem.ts'
import { addDelta, type LiveMessage, type LiveReset, resetLive, settleLive } from './live-message.ts'
import type { SentInput } from './queue.ts'
import { addEvents, EMPTY_LOG, type SessionLog } from './session-log.ts'

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** Without `retryAt` it is not tried again. */
  | { readonly kind: 'broken'; readonly problem: ApiProblem; readonly retryAt?: number }

/** Whether there is no such Session: a message begins it. */
export function isMissing(connection: Connection): boolean {
  return connection.kind === 'broken' && connection.problem.code === 'session-not-found'
}

export interface SessionState {
  readonly log: SessionLog
  readonly live?: LiveMessage | undefined
  /** Set after a reconnection: what is shown of the live message comes again from its beginning. */
  readonly isLiveStale?: boolean
  readonly connection: Connection
  readonly status?: SessionStatus
  /** What this page sent and has not seen settled. */
  readonly sent: readonly SentInput[]
}

export const INITIAL_SESSION: SessionState = { log: EMPTY_LOG, connection: { kind: 'connecting' }, sent: [] }

/** Of a Session that is not begun: there is nothing to follow yet. */
export const FRESH_SESSION: SessionState = { ...INITIAL_SESSION, connection: { kind: 'open' } }

/** One message of the stream, read. */
export type StreamItem =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'delta'; readonly delta: LiveDelta }
  | { readonly kind: 'reset'; readonly reset: LiveReset }

export type SessionChange =
  | { readonly kind: 'items'; readonly items: readonly StreamItem[] }
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'status'; readonly status: SessionStatus }
  | { readonly kind: 'sent'; readonly input: SentInput }
  | { readonly kind: 'discarded'; readonly id: string }

export function changeSession(state: SessionState, change: SessionChange): SessionState {
  switch (change.kind) {
    case 'items':
      return withItems(state, change.items)
    case 'connection':
      return {
        ...state,
        connection: change.connection,
        ...(change.connection.kind === 'open' ? { isLiveStale: state.live !== undefined } : {}),
      }
    case 'status':
      return { ...state, status: change.status }
    case 'sent':
      return { ...state, sent: [...state.sent.filter(({ id }) => id !== change.input.id), change.input] }
    case 'discarded':
      return { ...state, sent: state.sent.filter(({ id }) => id !== change.id) }
  }
}

function withItems(state: SessionState, items: readonly StreamItem[]): SessionState {
  let { live, isLiveStale = false } = state
  const events: Event[] = []
  for (const item of items) {
    if (item.kind === 'event') {
      events.push(item.event)
      live = settleLive(live, item.event)
    } else if (item.kind === 'delta') {
      live = addDelta(isLiveStale ? undefined : live, item.delta)
      isLiveStale = false
    } else {
      live = resetLive(item.reset)
      isLiveStale = false
    }
  }
  const log = addEvents(state.log, events)
  const settled = new Set(
    events.flatMap((event) =>
      event.type === 'user/message' || event.type === 'input/withdrawn' || event.type === 'input/refused'
        ? [event.inputId]
        : [],
    ),
  )
  const sent = settled.size === 0 ? state.sent : state.sent.filter(({ id }) => !settled.has(id))
  return { ...state, log, live, isLiveStale, sent }
}

/** The text of an input that waits, as far as it is known here. */
export function pendingText({ content }: PendingInput): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}: ${part.ref}]`)).join('\n')
}
