/**
 * The statements that live text is made of. Those that run for every piece of text are compiled once, and
 * cost the same however long the text is.
 */
import type { Kysely } from 'kysely'
import type { SessionKey } from '../core/ids.ts'
import { nth, prepareByCount, prepareQuery, type QueryRunner } from './prepare-query.ts'
import type { LiveSchema, LiveTable } from './schema.ts'

const ROWS_PER_INSERT = 16

const ATTEMPT_COLUMNS = ['tenant', 'session', 'turn_id', 'step', 'attempt'] as const

/** One attempt of one Step. */
export type AttemptColumns = Pick<LiveTable, (typeof ATTEMPT_COLUMNS)[number]>

type StoredDelta = Pick<LiveTable, 'position' | 'delta'>

export interface LiveQueries {
  /** Deltas that are there stay as they are. */
  insert(runner: QueryRunner, rows: readonly LiveTable[]): Promise<void>
  /** Whether the Session has no deltas but those of this attempt. */
  isAlone(runner: QueryRunner, attempt: AttemptColumns): Promise<boolean>
  /** Whether there are deltas of a newer Step or attempt of this Turn. */
  hasNewer(runner: Kysely<LiveSchema>, attempt: AttemptColumns): Promise<boolean>
  /** Deletes this attempt's deltas. */
  drop(runner: Kysely<LiveSchema>, attempt: AttemptColumns): Promise<void>
  /** Deletes every other attempt's deltas. */
  dropOthers(runner: Kysely<LiveSchema>, attempt: AttemptColumns): Promise<void>
  newest(runner: QueryRunner, session: SessionKey): Promise<AttemptColumns | undefined>
  /** The attempt's deltas behind a position, in order. */
  readAfter(
    runner: QueryRunner,
    attempt: AttemptColumns & { readonly after: number },
  ): Promise<readonly StoredDelta[]>
}

export function prepareLiveQueries(live: Kysely<LiveSchema>): LiveQueries {
  const insert = prepareInsert(live)
  const findFirst = prepareFindEdge(live, 'asc')
  const findLast = prepareFindEdge(live, 'desc')
  return {
    async insert(runner, rows) {
      for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
        const some = rows.slice(from, from + ROWS_PER_INSERT)
        await insert(some.length)(runner, some)
      }
    },
    async isAlone(runner, attempt) {
      const edges = [...(await findFirst(runner, attempt)), ...(await findLast(runner, attempt))]
      return edges.every((edge) => isSameAttempt(edge, attempt))
    },
    async hasNewer(runner, attempt) {
      const newer = await runner
        .selectFrom('live')
        .select('position')
        .where('tenant', '=', attempt.tenant)
        .where('session', '=', attempt.session)
        .where('turn_id', '=', attempt.turn_id)
        .where((eb) =>
          eb.or([
            eb('step', '>', attempt.step),
            eb.and([eb('step', '=', attempt.step), eb('attempt', '>', attempt.attempt)]),
          ]),
        )
        .limit(1)
        .executeTakeFirst()
      return newer !== undefined
    },
    async drop(runner, attempt) {
      await runner
        .deleteFrom('live')
        .where('tenant', '=', attempt.tenant)
        .where('session', '=', attempt.session)
        .where('turn_id', '=', attempt.turn_id)
        .where('step', '=', attempt.step)
        .where('attempt', '=', attempt.attempt)
        .execute()
    },
    async dropOthers(runner, attempt) {
      await runner
        .deleteFrom('live')
        .where('tenant', '=', attempt.tenant)
        .where('session', '=', attempt.session)
        .where((eb) =>
          eb.or([
            eb('turn_id', '<>', attempt.turn_id),
            eb('step', '<>', attempt.step),
            eb('attempt', '<>', attempt.attempt),
          ]),
        )
        .execute()
    },
    async newest(runner, session) {
      const rows = await findLast(runner, session)
      return rows[0]
    },
    readAfter: prepareReadAfter(live),
  }
}

function prepareInsert(live: Kysely<LiveSchema>) {
  return prepareByCount((count) =>
    prepareQuery<readonly LiveTable[], unknown>((slot) => {
      const slots = Array.from({ length: count }, (_, index) => ({
        tenant: slot((rows) => nth(rows, index).tenant),
        session: slot((rows) => nth(rows, index).session),
        turn_id: slot((rows) => nth(rows, index).turn_id),
        step: slot((rows) => nth(rows, index).step),
        attempt: slot((rows) => nth(rows, index).attempt),
        position: slot((rows) => nth(rows, index).position),
        delta: slot((rows) => nth(rows, index).delta),
      }))
      return live
        .insertInto('live')
        .values(slots)
        .onConflict((conflict) => conflict.doNothing())
    }),
  )
}

/** The attempt at one end of the primary key: two of them tell whether a Session has one attempt or more. */
function prepareFindEdge(live: Kysely<LiveSchema>, direction: 'asc' | 'desc') {
  return prepareQuery<SessionKey, AttemptColumns>((slot) =>
    live
      .selectFrom('live')
      .select(ATTEMPT_COLUMNS)
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
      .orderBy('turn_id', direction)
      .orderBy('step', direction)
      .orderBy('attempt', direction)
      .limit(1),
  )
}

function prepareReadAfter(live: Kysely<LiveSchema>) {
  return prepareQuery<AttemptColumns & { readonly after: number }, StoredDelta>((slot) =>
    live
      .selectFrom('live')
      .select(['position', 'delta'])
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
        'turn_id',
        '=',
        slot((row) => row.turn_id),
      )
      .where(
        'step',
        '=',
        slot((row) => row.step),
      )
      .where(
        'attempt',
        '=',
        slot((row) => row.attempt),
      )
      .where(
        'position',
        '>',
        slot(({ after }) => after),
      )
      .orderBy('position'),
  )
}

function isSameAttempt(a: AttemptColumns, b: AttemptColumns): boolean {
  return a.turn_id === b.turn_id && a.step === b.step && a.attempt === b.attempt
}
