/**
 * Writing one spill: a draft that grows by a chunk a transaction, and becomes a text at the end.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { SessionKey } from '../core/ids.ts'
import type { SpillNote, SpillOutcome, SpillWriter } from '../core/spill.ts'
import { advance, TEXT_START } from '../core/text-position.ts'
import { deleteDraft } from './collect-spills.ts'
import type { Schema } from './schema.ts'
import type { SpillTables } from './spill-tables.ts'
import { toColumnText } from './stored-text.ts'

interface Draft {
  readonly tenant: string
  readonly blob: string
}

/** As `SessionStore.beginSpill`. */
export async function beginSpill(
  tables: SpillTables,
  key: SessionKey,
  { quotaBytes }: { readonly quotaBytes: number },
): Promise<SpillWriter> {
  const { db, call, now } = tables
  const draft = { tenant: key.tenant, blob: randomUUID() }
  const insert = db.insertInto('spill_drafts').values({ ...draft, started_at: now().toISOString() })
  await call.write(() => insert.onConflict((conflict) => conflict.doNothing()).execute())
  const before = await call.read(() => bytesOf(db, key))

  const hash = createHash('sha256')
  let place = TEXT_START
  let [position, bytes] = [0, 0]
  let note: SpillNote | undefined

  return {
    async write(given) {
      const text = toColumnText(given)
      const size = Buffer.byteLength(text)
      if (before + bytes + size > quotaBytes) return 'over-quota'
      // An embedded database answers at once: without a pause nothing else would get a turn.
      await nextRound()
      const row = { ...draft, position, from_line: place.line, from_column: place.column, text }
      await call.write(() => db.transaction().execute((trx) => addChunk(trx, draft, row)))
      hash.update(text)
      place = advance(place, text)
      position += 1
      bytes += size
      return 'written'
    },
    async finish() {
      const lines = place.column === 0 ? place.line : place.line + 1
      note ??= { id: hash.digest('hex'), bytes, lines }
      const spill = note
      const keeping = { spill, draft, quotaBytes, at: now().toISOString() }
      const kept = await call.write(() => db.transaction().execute((trx) => keep(trx, key, keeping)))
      // What stays of a draft is collected later; the answer stands.
      if (kept !== 'kept') await deleteDraft(tables, draft).catch(() => undefined)
      return kept === 'over-quota' ? { kind: kept } : { kind: 'kept', spill }
    },
    drop: () => deleteDraft(tables, draft),
  }
}

async function bytesOf(db: Kysely<Schema>, key: SessionKey, except = ''): Promise<number> {
  const { bytes } = await db
    .selectFrom('spills')
    .select((eb) => eb.fn.sum('bytes').as('bytes'))
    .where('tenant', '=', key.tenant)
    .where('session', '=', key.session)
    .where('digest', '<>', except)
    .executeTakeFirstOrThrow()
  // A sum is null over nothing, and text where it may be larger than a column.
  return Number(bytes ?? 0)
}

async function addChunk(trx: Transaction<Schema>, draft: Draft, row: Schema['spill_chunks']): Promise<void> {
  if (!(await lockDraft(trx, draft))) throw new LostDraft()
  await trx
    .insertInto('spill_chunks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What is given up is deleted by somebody: nothing may be added behind their back. */
class LostDraft extends Error {
  override readonly message = 'A spill that was given up, or was begun more than a day ago, is written to'
}

/** Whether the draft is still one, and not given up. It stays so while the transaction lasts. */
async function lockDraft(trx: Transaction<Schema>, { tenant, blob }: Draft): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('spill_drafts')
    .set((eb) => ({ started_at: eb.ref('started_at') }))
    .where('tenant', '=', tenant)
    .where('blob', '=', blob)
    .where('started_at', '<>', '')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** `known`: the tenant had the text already, and the draft is not needed. */
async function keep(
  trx: Transaction<Schema>,
  { tenant, session }: SessionKey,
  keeping: {
    readonly spill: SpillNote
    readonly draft: Draft
    readonly quotaBytes: number
    readonly at: string
  },
): Promise<SpillOutcome['kind'] | 'known'> {
  const { spill, draft, at } = keeping
  const { id: digest, bytes, lines } = spill
  if (!(await lockDraft(trx, draft))) {
    if (await isText(trx, draft)) return 'kept'
    throw new LostDraft()
  }
  if ((await bytesOf(trx, { tenant, session }, digest)) + bytes > keeping.quotaBytes) return 'over-quota'
  const { blob } = await trx
    .insertInto('spill_texts')
    .values({ tenant, digest, blob: draft.blob, kept_at: at })
    .onConflict((conflict) => conflict.columns(['tenant', 'digest']).doUpdateSet({ kept_at: at }))
    .returning('blob')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('spills')
    .values({ tenant, session, digest, bytes, lines, kept_at: at })
    .onConflict((conflict) => conflict.columns(['tenant', 'session', 'digest']).doUpdateSet({ kept_at: at }))
    .execute()
  if (blob !== draft.blob) return 'known'
  await trx.deleteFrom('spill_drafts').where('tenant', '=', tenant).where('blob', '=', blob).execute()
  return 'kept'
}

/** Whether an earlier try has made a text of the draft. */
async function isText(trx: Transaction<Schema>, { tenant, blob }: Draft): Promise<boolean> {
  const row = await trx
    .selectFrom('spill_texts')
    .select('digest')
    .where('tenant', '=', tenant)
    .where('blob', '=', blob)
    .executeTakeFirst()
  return row !== undefined
}
