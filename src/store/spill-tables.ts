import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** What the statements on spills work with: each goes through the store's gate by itself. */
export interface SpillTables {
  readonly db: Kysely<Schema>
  readonly call: {
    read<T>(work: () => Promise<T>): Promise<T>
    write<T>(work: () => Promise<T>): Promise<T>
  }
  now(): Date
}
