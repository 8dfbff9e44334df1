/**
 * Live text: what of a message has streamed so far, kept beside the log until the message is committed.
 *
 * A Session has the deltas of one attempt, the newest of the newest Step. The log's head decides what is
 * still live: a Step that the log has closed takes no more, so that an attempt which was asleep leaves
 * nothing behind. A Session without a log takes what comes.
 */
import type { Kysely } from 'kysely'
import type { SessionKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import type { LiveDelta, LivePosition, ModelDelta } from '../core/ports.ts'
import { type AttemptColumns, type LiveQueries, prepareLiveQueries } from './live-queries.ts'
import type { LiveSchema, LiveTable } from './schema.ts'
import { parseStored, toColumnText } from './stored-text.ts'

export interface LiveText {
  /** As `SessionStore.appendLive`, given where the log stands. */
  append(session: SessionKey, head: LogHead, deltas: readonly LiveDelta[]): Promise<void>
  /** As `SessionStore.readLive`. */
  read(session: SessionKey, after?: LivePosition): Promise<readonly LiveDelta[]>
  /** As `SessionStore.clearLive`. */
  clear(session: SessionKey, step: { readonly turnId: string; readonly step: number }): Promise<void>
}

/** One attempt of one Step's model call. */
type AttemptOfStep = Pick<LivePosition, 'turnId' | 'step' | 'attempt'>

export function createLiveText(live: Kysely<LiveSchema>): LiveText {
  const queries = prepareLiveQueries(live)
  return {
    async append(session, head, deltas) {
      const newest = newestAttempt(deltas)
      if (newest === undefined || isOver(head, newest)) return
      const attempt = toAttemptColumns(session, newest)
      const rows = deltas.filter((delta) => isOf(delta, newest)).map((delta) => toLiveRow(attempt, delta))
      await live.transaction().execute(async (trx) => {
        await queries.insert(trx, rows)
        if (await queries.isAlone(trx, attempt)) return
        if (await queries.hasNewer(trx, attempt)) await queries.drop(trx, attempt)
        else await queries.dropOthers(trx, attempt)
      })
    },
    read: (session, after) => readNewest({ live, queries }, session, after),
    async clear(session, { turnId, step }) {
      await live
        .deleteFrom('live')
        .where('tenant', '=', session.tenant)
        .where('session', '=', session.session)
        .where('turn_id', '=', toColumnText(turnId))
        .where('step', '=', step)
        .execute()
    },
  }
}

async function readNewest(
  store: { readonly live: Kysely<LiveSchema>; readonly queries: LiveQueries },
  session: SessionKey,
  after: LivePosition | undefined,
): Promise<readonly LiveDelta[]> {
  const newest = await store.queries.newest(store.live, session)
  if (newest === undefined) return []
  const attempt = { turnId: newest.turn_id, step: newest.step, attempt: newest.attempt }
  const isSame = after !== undefined && isOf({ ...after, turnId: toColumnText(after.turnId) }, attempt)
  const rows = await store.queries.readAfter(store.live, { ...newest, after: isSame ? after.index : -1 })
  return rows.map(({ position, delta }) => ({
    ...attempt,
    index: position,
    ...(parseStored(delta, 'live text') as ModelDelta),
  }))
}

function toAttemptColumns(session: SessionKey, { turnId, step, attempt }: AttemptOfStep): AttemptColumns {
  return { tenant: session.tenant, session: session.session, turn_id: toColumnText(turnId), step, attempt }
}

function toLiveRow(columns: AttemptColumns, delta: LiveDelta): LiveTable {
  const { turnId: _turnId, step: _step, attempt: _attempt, index, ...piece } = delta
  return { ...columns, position: index, delta: JSON.stringify(piece) }
}

/** Of the Turn that the last delta belongs to. */
function newestAttempt(deltas: readonly LiveDelta[]): AttemptOfStep | undefined {
  const last = deltas.at(-1)
  return deltas
    .filter(({ turnId }) => turnId === last?.turnId)
    .reduce<AttemptOfStep | undefined>((newest, delta) => {
      if (newest === undefined) return delta
      const isNewer =
        delta.step > newest.step || (delta.step === newest.step && delta.attempt > newest.attempt)
      return isNewer ? delta : newest
    }, undefined)
}

function isOf(delta: AttemptOfStep, attempt: AttemptOfStep): boolean {
  return delta.turnId === attempt.turnId && delta.step === attempt.step && delta.attempt === attempt.attempt
}

/** Whether the log says that this Step has been closed, or its Turn. */
function isOver({ seq, open }: LogHead, { turnId, step }: AttemptOfStep): boolean {
  if (seq === 0) return false
  if (open?.turnId !== turnId) return true
  return step < open.step || (step === open.step && !open.isStepOpen)
}
