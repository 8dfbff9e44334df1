/**
 * Reading events.
 */
import type { Kysely } from 'kysely'
import type { Event } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import type { ReadQuery } from '../core/ports.ts'
import { fromEventRow, STORED_EVENT_COLUMNS } from './event-row.ts'
import type { Schema } from './schema.ts'
import { toColumnText } from './stored-text.ts'

/** As `SessionStore.read`. */
export async function readEvents(
  db: Kysely<Schema>,
  session: SessionKey,
  { afterSeq, limit, turnId, types }: ReadQuery = {},
): Promise<readonly Event[]> {
  if (types?.length === 0 || (limit !== undefined && limit <= 0)) return []
  const rows = await db
    .selectFrom('events')
    .select(STORED_EVENT_COLUMNS)
    .where('tenant', '=', session.tenant)
    .where('session', '=', session.session)
    .$if(afterSeq !== undefined, (query) => query.where('seq', '>', afterSeq ?? 0))
    .$if(turnId !== undefined, (query) => query.where('turn_id', '=', toColumnText(turnId ?? '')))
    .$if(types !== undefined, (query) => query.where('type', 'in', types ?? []))
    .orderBy('seq')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
  return rows.map(fromEventRow)
}
