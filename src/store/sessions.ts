/**
 * Sessions: their records, and where their logs stand.
 */
import type { Kysely } from 'kysely'
import type { SessionKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import type { ListedSession, SessionRecord } from '../core/ports.ts'
import { type PreparedQuery, prepareQuery } from './prepare-query.ts'
import type { Schema } from './schema.ts'
import {
  fromHeadColumns,
  fromRecordColumns,
  HEAD_COLUMNS,
  type HeadColumns,
  RECORD_COLUMNS,
  toSessionRow,
} from './session-row.ts'

/** As `SessionStore.createSession`, at a time in ISO 8601. */
export async function createSession(
  db: Kysely<Schema>,
  record: SessionRecord,
  at: string,
): Promise<SessionRecord> {
  await db
    .insertInto('sessions')
    .values(toSessionRow(record, at))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readSession(db, record.key)) ?? record
}

/** As `SessionStore.session`. */
export async function readSession(db: Kysely<Schema>, key: SessionKey): Promise<SessionRecord | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(RECORD_COLUMNS)
    .where('tenant', '=', key.tenant)
    .where('session', '=', key.session)
    .executeTakeFirst()
  return row === undefined ? undefined : fromRecordColumns(row)
}

/** Makes `SessionStore.head`. */
export function prepareReadHead(db: Kysely<Schema>): (key: SessionKey) => Promise<LogHead> {
  const readHead: PreparedQuery<SessionKey, HeadColumns> = prepareQuery((slot) =>
    db
      .selectFrom('sessions')
      .select(HEAD_COLUMNS)
      .where(
        'tenant',
        '=',
        slot(({ tenant }) => tenant),
      )
      .where(
        'session',
        '=',
        slot(({ session }) => session),
      ),
  )
  return async (key) => {
    const rows = await readHead(db, key)
    return fromHeadColumns(rows[0])
  }
}

/** As `SessionStore.openTurns`. */
export async function listOpenTurns(
  db: Kysely<Schema>,
): Promise<readonly { readonly key: SessionKey; readonly head: LogHead }[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['tenant', 'session', ...HEAD_COLUMNS])
    .where('open_turn', 'is not', null)
    .orderBy('tenant')
    .orderBy('session')
    .execute()
  return rows.map((row) => ({
    key: { tenant: row.tenant, session: row.session },
    head: fromHeadColumns(row),
  }))
}

/** As `SessionStore.sessions`. */
export async function listSessions(
  db: Kysely<Schema>,
  query: { readonly tenant: string; readonly limit: number },
): Promise<readonly ListedSession[]> {
  if (query.limit <= 0) return []
  const rows = await db
    .selectFrom('sessions')
    .select([...RECORD_COLUMNS, 'changed_at', ...HEAD_COLUMNS])
    .where('tenant', '=', query.tenant)
    .orderBy('changed_at', 'desc')
    .orderBy('session')
    .limit(query.limit)
    .execute()
  return rows.map((row) => ({
    ...fromRecordColumns(row),
    head: fromHeadColumns(row),
    changedAt: row.changed_at,
  }))
}
