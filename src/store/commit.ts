/**
 * The one way into the log: a transaction that locks a Session, lets the caller decide on what it sees, and
 * appends what the fence lets through.
 *
 * 1. The first statement writes the Session's row, so from then on no other commit to that Session runs.
 * 2. Nothing is written unless everything is: a refusal rolls back, the attempt that had begun included.
 * 3. A commit that has nothing to write rolls back too, and so wakes nobody.
 */
import type { Kysely } from 'kysely'
import type { Event } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import type { Attempts, Commit, CommitResult, CommitView } from '../core/ports.ts'
import type { AttemptQueries } from './attempts.ts'
import type { LogQueries } from './log-queries.ts'
import { type AppendPlan, planAppend } from './plan-append.ts'
import type { QueryRunner } from './prepare-query.ts'
import type { Schema } from './schema.ts'
import { fromHeadColumns, toHeadColumns } from './session-row.ts'
import { toColumnText } from './stored-text.ts'

export interface CommitQueries {
  readonly log: LogQueries
  readonly attempts: AttemptQueries
}

/** A commit on its way: to which Session, and at what time. */
interface Place {
  readonly session: SessionKey
  /** ISO 8601. */
  readonly at: string
}

/** Leaves a transaction without its writes, with an answer. */
class RolledBack<R> extends Error {
  readonly result: CommitResult<R>

  constructor(result: CommitResult<R>) {
    super('rolled back')
    this.result = result
  }
}

/** As `SessionStore.commit`, once. Errors are the driver's, or what `decide` throws. */
export async function runCommit<R>(
  store: { readonly db: Kysely<Schema>; readonly queries: CommitQueries },
  place: Place,
  commit: Commit<R>,
): Promise<CommitResult<R>> {
  try {
    return await store.db
      .transaction()
      .execute((trx) => commitWithin(trx, { ...place, queries: store.queries }, commit))
  } catch (error) {
    if (error instanceof RolledBack) return error.result as CommitResult<R>
    throw error
  }
}

async function commitWithin<R>(
  trx: QueryRunner,
  place: Place & { readonly queries: CommitQueries },
  commit: Commit<R>,
): Promise<CommitResult<R>> {
  const { session, at, queries } = place
  const head = fromHeadColumns(await queries.log.lockHead(trx, session, at))
  const named = new Set(commit.keys.map(toColumnText))
  const existing = byKey(await queries.log.findByKeys(trx, session, [...named]))
  const attempts =
    commit.beginAttempt === undefined
      ? undefined
      : await queries.attempts.begin(trx, session, commit.beginAttempt)

  const decision = commit.decide(viewOf({ head, named, existing, attempts }))

  const unnamed = new Set(
    decision.append.map(({ key }) => toColumnText(key)).filter((key) => !named.has(key)),
  )
  const found = await queries.log.findByKeys(trx, session, [...unnamed])
  const plan = planAppend({ head, existing: byKey(found, existing) }, decision.append, at)

  if (plan.kind === 'refused') throw new RolledBack({ kind: 'refused', refusal: plan.refusal, head })
  const result = committed(plan, decision.answer, attempts)
  if (plan.fresh.length === 0 && attempts === undefined) throw new RolledBack(result)
  if (plan.fresh.length > 0) {
    await queries.log.insertEvents(trx, session, plan.fresh)
    await queries.log.moveHead(trx, session, { ...toHeadColumns(plan.head), at })
  }
  return result
}

function viewOf(seen: {
  readonly head: LogHead
  readonly named: ReadonlySet<string>
  readonly existing: ReadonlyMap<string, Event>
  readonly attempts: Attempts | undefined
}): CommitView {
  return {
    head: seen.head,
    existing(key) {
      const stored = toColumnText(key)
      if (!seen.named.has(stored))
        throw new Error(`A decision looks at ${key}, which is not among the commit's keys`)
      return seen.existing.get(stored)
    },
    ...(seen.attempts === undefined ? {} : { attempts: seen.attempts }),
  }
}

function committed<R>(
  plan: Extract<AppendPlan, { readonly kind: 'append' }>,
  answer: R,
  attempts: Attempts | undefined,
): CommitResult<R> {
  return {
    kind: 'committed',
    answer,
    events: plan.events,
    appended: plan.fresh.length,
    head: plan.head,
    ...(attempts === undefined ? {} : { attempts }),
  }
}

function byKey(
  events: readonly Event[],
  known: ReadonlyMap<string, Event> = new Map(),
): ReadonlyMap<string, Event> {
  if (events.length === 0) return known
  return new Map([...known, ...events.map((event) => [event.key, event] as const)])
}
