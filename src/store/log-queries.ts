/**
 * The statements of a commit, compiled once for each store.
 */
import type { Kysely } from 'kysely'
import type { Event } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { fromEventRow, STORED_EVENT_COLUMNS, type StoredEvent, toEventRow } from './event-row.ts'
import { nth, prepareByCount, prepareQuery, type QueryRunner } from './prepare-query.ts'
import type { EventsTable, Schema } from './schema.ts'
import { HEAD_COLUMNS, type HeadColumns } from './session-row.ts'

/** Databases limit the parameters of a statement, and every length of a list is a statement of its own. */
const KEYS_PER_LOOK_UP = 64
const ROWS_PER_INSERT = 16

export interface LogQueries {
  /** Takes the Session's write lock until the transaction ends, and reads the head. Adds a missing Session. */
  lockHead(runner: QueryRunner, session: SessionKey, at: string): Promise<HeadColumns | undefined>
  /** The events that exist under some keys, in no order. Keys as columns hold them. */
  findByKeys(runner: QueryRunner, session: SessionKey, keys: readonly string[]): Promise<readonly Event[]>
  insertEvents(runner: QueryRunner, session: SessionKey, events: readonly Event[]): Promise<void>
  moveHead(
    runner: QueryRunner,
    session: SessionKey,
    head: HeadColumns & { readonly at: string },
  ): Promise<void>
}

export function prepareLogQueries(db: Kysely<Schema>): LogQueries {
  const lock = prepareLockHead(db)
  const find = prepareFindByKeys(db)
  const insert = prepareInsertEvents(db)
  const move = prepareMoveHead(db)
  return {
    async lockHead(runner, session, at) {
      const rows = await lock(runner, { ...session, at })
      return rows[0]
    },
    async findByKeys(runner, session, keys) {
      const found: Event[] = []
      for (let from = 0; from < keys.length; from += KEYS_PER_LOOK_UP) {
        const padded = padToPowerOfTwo(keys.slice(from, from + KEYS_PER_LOOK_UP))
        const rows = await find(padded.length)(runner, { ...session, keys: padded })
        found.push(...rows.map(fromEventRow))
      }
      return found
    },
    async insertEvents(runner, session, events) {
      for (let from = 0; from < events.length; from += ROWS_PER_INSERT) {
        const rows = events.slice(from, from + ROWS_PER_INSERT).map((event) => toEventRow(session, event))
        await insert(rows.length)(runner, rows)
      }
    },
    async moveHead(runner, session, head) {
      await move(runner, { ...session, ...head })
    },
  }
}

/** A first statement that writes: SQLite takes the write lock at once, PostgreSQL locks the row. */
function prepareLockHead(db: Kysely<Schema>) {
  return prepareQuery<SessionKey & { readonly at: string }, HeadColumns>((slot) =>
    db
      .insertInto('sessions')
      .values({
        tenant: slot(({ tenant }) => tenant),
        session: slot(({ session }) => session),
        seq: 0,
        turns: 0,
        changed_at: slot(({ at }) => at),
      })
      .onConflict((conflict) =>
        conflict.columns(['tenant', 'session']).doUpdateSet((eb) => ({ seq: eb.ref('sessions.seq') })),
      )
      .returning(HEAD_COLUMNS),
  )
}

function prepareFindByKeys(db: Kysely<Schema>) {
  return prepareByCount((count) =>
    prepareQuery<SessionKey & { readonly keys: readonly string[] }, StoredEvent>((slot) =>
      db
        .selectFrom('events')
        .select(STORED_EVENT_COLUMNS)
        .where(
          'tenant',
          '=',
          slot(({ tenant }) => tenant),
        )
        .where(
          'session',
          '=',
          slot(({ session }) => session),
        )
        .where(
          'key',
          'in',
          Array.from({ length: count }, (_, index) => slot(({ keys }) => nth(keys, index))),
        ),
    ),
  )
}

function prepareInsertEvents(db: Kysely<Schema>) {
  return prepareByCount((count) =>
    prepareQuery<readonly EventsTable[], unknown>((slot) => {
      const slots = Array.from({ length: count }, (_, index) => ({
        tenant: slot((rows) => nth(rows, index).tenant),
        session: slot((rows) => nth(rows, index).session),
        seq: slot((rows) => nth(rows, index).seq),
        key: slot((rows) => nth(rows, index).key),
        type: slot((rows) => nth(rows, index).type),
        turn_id: slot((rows) => nth(rows, index).turn_id),
        turn: slot((rows) => nth(rows, index).turn),
        step: slot((rows) => nth(rows, index).step),
        at: slot((rows) => nth(rows, index).at),
        v: slot((rows) => nth(rows, index).v),
        body: slot((rows) => nth(rows, index).body),
      }))
      return db.insertInto('events').values(slots)
    }),
  )
}

function prepareMoveHead(db: Kysely<Schema>) {
  return prepareQuery<SessionKey & HeadColumns & { readonly at: string }, unknown>((slot) =>
    db
      .updateTable('sessions')
      .set({
        seq: slot(({ seq }) => seq),
        turns: slot(({ turns }) => turns),
        open_turn: slot(({ open_turn }) => open_turn),
        memory: slot(({ memory }) => memory),
        changed_at: slot(({ at }) => at),
      })
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
}

/** Repeats the last key, which finds nothing more and keeps the number of different statements small. */
function padToPowerOfTwo(keys: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(keys.length))
  return Array.from({ length }, (_, index) => nth(keys, Math.min(index, keys.length - 1)))
}
