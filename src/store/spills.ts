/**
 * Spilled tool outputs: who has which, and their text in chunks.
 *
 * 1. A set of chunks is a *draft* until it is finished. Only then does a text point to it, and only texts are read.
 * 2. A text is stored once per tenant; each Session that has it has a row of its own, and reads by that row alone.
 * 3. What is given up becomes a draft again, in the transaction that makes it unreachable. Drafts are deleted in
 *    small steps, by whoever comes.
 */
import type { Kysely } from 'kysely'
import type { SessionKey } from '../core/ids.ts'
import type { CollectedSpills } from '../core/ports.ts'
import type { ChunkQuery, SpillChunk, SpillRecord, SpillWriter } from '../core/spill.ts'
import { collectSpills } from './collect-spills.ts'
import type { Schema } from './schema.ts'
import type { SpillTables } from './spill-tables.ts'
import { beginSpill } from './spill-writer.ts'
import { toColumnText } from './stored-text.ts'

export interface Spills {
  begin(key: SessionKey, options: { readonly quotaBytes: number }): Promise<SpillWriter>
  find(key: SessionKey, id: string): Promise<SpillRecord | undefined>
  chunk(key: SessionKey, id: string, query: ChunkQuery): Promise<SpillChunk | undefined>
  collect(options: { readonly keptBefore: Date }): Promise<CollectedSpills>
}

export function createSpills(tables: SpillTables): Spills {
  const { db, call } = tables
  return {
    begin: (key, options) => beginSpill(tables, key, options),
    find: (key, id) => call.read(() => findSpill(db, key, id)),
    chunk: (key, id, query) => call.read(() => readChunk(db, { key, id }, query)),
    collect: (options) => collectSpills(tables, options),
  }
}

async function findSpill(db: Kysely<Schema>, key: SessionKey, id: string): Promise<SpillRecord | undefined> {
  const row = await db
    .selectFrom('spills')
    .select(['digest', 'bytes', 'lines', 'kept_at'])
    .where('tenant', '=', key.tenant)
    .where('session', '=', key.session)
    .where('digest', '=', toColumnText(id))
    .executeTakeFirst()
  return row && { id: row.digest, bytes: row.bytes, lines: row.lines, keptAt: row.kept_at }
}

async function readChunk(
  db: Kysely<Schema>,
  { key, id }: { readonly key: SessionKey; readonly id: string },
  query: ChunkQuery,
): Promise<SpillChunk | undefined> {
  const ofSpill = db
    .selectFrom('spills')
    .innerJoin('spill_texts', (join) =>
      join
        .onRef('spill_texts.tenant', '=', 'spills.tenant')
        .onRef('spill_texts.digest', '=', 'spills.digest'),
    )
    .innerJoin('spill_chunks', (join) =>
      join
        .onRef('spill_chunks.tenant', '=', 'spill_texts.tenant')
        .onRef('spill_chunks.blob', '=', 'spill_texts.blob'),
    )
    .select(['position', 'from_line', 'from_column', 'text'])
    .where('spills.tenant', '=', key.tenant)
    .where('spills.session', '=', key.session)
    .where('spills.digest', '=', toColumnText(id))
  const found =
    'position' in query
      ? ofSpill.where('position', '=', query.position)
      : ofSpill
          .where((eb) =>
            eb.or([
              eb('from_line', '<', query.at.line),
              eb.and([eb('from_line', '=', query.at.line), eb('from_column', '<=', query.at.column)]),
            ]),
          )
          .orderBy('from_line', 'desc')
          .orderBy('from_column', 'desc')
          .limit(1)
  const row = await found.executeTakeFirst()
  if (row === undefined) return undefined
  return {
    position: row.position,
    from: { line: row.from_line, column: row.from_column },
    text: row.text,
  }
}
