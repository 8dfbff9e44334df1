/**
 * Session records and log heads as columns of the sessions table, and back.
 */
import type { LogHead, OpenTurn, SessionMemory } from '../core/log-head.ts'
import { EMPTY_HEAD } from '../core/log-head.ts'
import type { SessionRecord } from '../core/ports.ts'
import type { SessionsTable } from './schema.ts'
import { parseStored, toColumnText } from './stored-text.ts'

export type HeadColumns = Pick<SessionsTable, 'seq' | 'turns' | 'open_turn' | 'memory'>

export const HEAD_COLUMNS = ['seq', 'turns', 'open_turn', 'memory'] as const

export function toHeadColumns(head: LogHead): HeadColumns {
  return {
    seq: head.seq,
    turns: head.turns,
    open_turn: head.open === undefined ? null : JSON.stringify(head.open),
    memory: head.memory === undefined ? null : JSON.stringify(head.memory),
  }
}

/** The head of a Session without a row is that of an empty log. */
export function fromHeadColumns(row: HeadColumns | undefined): LogHead {
  if (row === undefined) return EMPTY_HEAD
  const { seq, turns } = row
  return {
    seq,
    turns,
    ...(row.open_turn === null
      ? {}
      : { open: parseStored(row.open_turn, 'note of an open turn') as OpenTurn }),
    ...(row.memory === null
      ? {}
      : { memory: parseStored(row.memory, 'memory of a session') as SessionMemory }),
  }
}

export type RecordColumns = Pick<SessionsTable, 'tenant' | 'session' | 'agent' | 'metadata'>

export const RECORD_COLUMNS = ['tenant', 'session', 'agent', 'metadata'] as const

/** The row of a Session that has no events yet. */
export function toSessionRow(record: SessionRecord, changedAt: string): SessionsTable {
  return {
    ...record.key,
    ...toHeadColumns(EMPTY_HEAD),
    agent: record.agent === undefined ? null : toColumnText(record.agent),
    metadata: record.metadata === undefined ? null : JSON.stringify(record.metadata),
    changed_at: changedAt,
  }
}

export function fromRecordColumns(row: RecordColumns): SessionRecord {
  return {
    key: { tenant: row.tenant, session: row.session },
    ...(row.agent === null ? {} : { agent: row.agent }),
    ...(row.metadata === null
      ? {}
      : {
          metadata: parseStored(row.metadata, `metadata of session ${row.session}`) as Record<
            string,
            unknown
          >,
        }),
  }
}
