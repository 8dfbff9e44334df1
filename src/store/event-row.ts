/**
 * Events as rows of the log, and back.
 */
import type { Event, EventBody, NewEvent } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import type { EventsTable } from './schema.ts'
import { parseStored, toColumnText } from './stored-text.ts'

/** The columns that make up an event. */
export type StoredEvent = Pick<EventsTable, 'seq' | 'key' | 'at' | 'v' | 'body'>

export const STORED_EVENT_COLUMNS = ['seq', 'key', 'at', 'v', 'body'] as const

/** Gives an event its place in the log. */
export function toEvent(event: NewEvent, place: { readonly seq: number; readonly at: string }): Event {
  return { ...event, seq: place.seq, at: place.at, v: 1 }
}

export function toEventRow(session: SessionKey, event: Event): EventsTable {
  const { key, seq, at, v, ...body } = event
  return {
    tenant: session.tenant,
    session: session.session,
    seq,
    key: toColumnText(key),
    type: event.type,
    turn_id: event.turnId === null ? null : toColumnText(event.turnId),
    turn: event.turn,
    step: 'step' in event ? (event.step ?? null) : null,
    at,
    v,
    body: JSON.stringify(body),
  }
}

/** Fails with `store-corrupt` when the body is damaged. */
export function fromEventRow(row: StoredEvent): Event {
  const body = parseStored(row.body, `event ${row.seq} (${row.key})`) as EventBody
  return { ...body, key: row.key, seq: row.seq, at: row.at, v: 1 }
}
