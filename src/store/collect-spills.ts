/**
 * Deleting what nobody has any more: spills past their age, the texts that only those had, and drafts.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { CollectedSpills } from '../core/ports.ts'
import type { Schema } from './schema.ts'
import type { SpillTables } from './spill-tables.ts'

/** A draft that is older has lost its writer. */
const DRAFT_MS = 24 * 60 * 60_000

/** Chunks that are deleted in one transaction: about 1 MiB. */
const CHUNKS_A_STEP = 8

/** As `SessionStore.collectSpills`. */
export async function collectSpills(
  tables: SpillTables,
  { keptBefore }: { readonly keptBefore: Date },
): Promise<CollectedSpills> {
  const { db, call, now } = tables
  const cutoff = keptBefore.toISOString()
  const old = db.deleteFrom('spills').where('kept_at', '<', cutoff)
  const { numDeletedRows } = await call.write(() => old.executeTakeFirstOrThrow())
  const texts = db.selectFrom('spill_texts').select(['tenant', 'digest']).where('kept_at', '<', cutoff)
  for (const text of await call.read(() => texts.execute())) {
    await call.write(() => db.transaction().execute((trx) => giveUpText(trx, text, cutoff)))
    await nextRound()
  }
  const lostBefore = new Date(now().getTime() - DRAFT_MS).toISOString()
  const drafts = db.selectFrom('spill_drafts').select(['tenant', 'blob']).where('started_at', '<', lostBefore)
  const lost = await call.read(() => drafts.execute())
  for (const draft of lost) await deleteDraft(tables, draft)
  return { spills: Number(numDeletedRows), texts: lost.length }
}

/** Makes a draft of a text that no Session has any more: one that has it would have made the text's age its own. */
async function giveUpText(
  trx: Transaction<Schema>,
  { tenant, digest }: { readonly tenant: string; readonly digest: string },
  cutoff: string,
): Promise<void> {
  const deleted = await trx
    .deleteFrom('spill_texts')
    .where('tenant', '=', tenant)
    .where('digest', '=', digest)
    .where('kept_at', '<', cutoff)
    .returning('blob')
    .executeTakeFirst()
  if (deleted === undefined) return
  await trx.insertInto('spill_drafts').values({ tenant, blob: deleted.blob, started_at: '' }).execute()
}

/** Gives a draft up and deletes it, chunks first, so that nothing is left that nobody knows of. */
export async function deleteDraft(
  { db, call }: SpillTables,
  { tenant, blob }: { readonly tenant: string; readonly blob: string },
): Promise<void> {
  const draft = db.updateTable('spill_drafts').where('tenant', '=', tenant).where('blob', '=', blob)
  const { numUpdatedRows } = await call.write(() => draft.set({ started_at: '' }).executeTakeFirstOrThrow())
  if (numUpdatedRows === 0n) return
  const chunks = db.deleteFrom('spill_chunks').where('tenant', '=', tenant).where('blob', '=', blob)
  const last = db
    .selectFrom('spill_chunks')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('tenant', '=', tenant)
    .where('blob', '=', blob)
  const { position } = await call.read(() => last.executeTakeFirstOrThrow())
  for (let from = 0; from <= (position ?? -1); from += CHUNKS_A_STEP) {
    await nextRound()
    await call.write(() => chunks.where('position', '<', from + CHUNKS_A_STEP).execute())
  }
  const rest = db.deleteFrom('spill_drafts').where('tenant', '=', tenant).where('blob', '=', blob)
  await call.write(() => rest.execute())
}
