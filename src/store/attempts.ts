/**
 * The bookkeeping of attempts, beside the log.
 *
 * Only the newest attempt of a unit can end: once another has begun, the one before counts as lost, and a
 * late word from it changes nothing.
 */
import type { Kysely } from 'kysely'
import type { SessionKey } from '../core/ids.ts'
import type { AttemptOutcome, Attempts } from '../core/ports.ts'
import { type PreparedQuery, prepareQuery, type QueryRunner } from './prepare-query.ts'
import type { Schema } from './schema.ts'
import { toColumnText } from './stored-text.ts'

export interface AttemptQueries {
  /** Begins the unit's next attempt. If the one before has no recorded end, it is counted as lost. */
  begin(runner: QueryRunner, session: SessionKey, unit: string): Promise<Attempts>
  /** As `SessionStore.endAttempt`. Counts of a unit that never began are all zero. */
  end(
    session: SessionKey,
    unit: string,
    attempt: { readonly number: number; readonly outcome: AttemptOutcome },
  ): Promise<Attempts>
}

const COUNTS = ['number', 'provider', 'tool', 'lost'] as const

export function prepareAttemptQueries(db: Kysely<Schema>): AttemptQueries {
  const beginNext = prepareBegin(db)
  return {
    async begin(runner, session, unit) {
      const rows = await beginNext(runner, { ...session, unit: toColumnText(unit) })
      return { number: 1, provider: 0, tool: 0, lost: 0, ...rows[0] }
    },
    async end(session, unit, { number, outcome }) {
      const stored = toColumnText(unit)
      const ended = await db
        .updateTable('attempts')
        .set((eb) => ({
          ended: number,
          provider: eb('provider', '+', outcome === 'provider' ? 1 : 0),
          tool: eb('tool', '+', outcome === 'tool' ? 1 : 0),
        }))
        .where('tenant', '=', session.tenant)
        .where('session', '=', session.session)
        .where('unit', '=', stored)
        .where('number', '=', number)
        .where('ended', '<', number)
        .returning(COUNTS)
        .executeTakeFirst()
      if (ended !== undefined) return ended
      const current = await db
        .selectFrom('attempts')
        .select(COUNTS)
        .where('tenant', '=', session.tenant)
        .where('session', '=', session.session)
        .where('unit', '=', stored)
        .executeTakeFirst()
      return current ?? { number: 0, provider: 0, tool: 0, lost: 0 }
    },
  }
}

function prepareBegin(db: Kysely<Schema>): PreparedQuery<SessionKey & { readonly unit: string }, Attempts> {
  return prepareQuery((slot) =>
    db
      .insertInto('attempts')
      .values({
        tenant: slot(({ tenant }) => tenant),
        session: slot(({ session }) => session),
        unit: slot(({ unit }) => unit),
        number: 1,
        provider: 0,
        tool: 0,
        lost: 0,
        ended: 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['tenant', 'session', 'unit']).doUpdateSet((eb) => ({
          lost: eb
            .case()
            .when('attempts.ended', '<', eb.ref('attempts.number'))
            .then(eb('attempts.lost', '+', 1))
            .else(eb.ref('attempts.lost'))
            .end(),
          number: eb('attempts.number', '+', 1),
        })),
      )
      .returning(COUNTS),
  )
}
