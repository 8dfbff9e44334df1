/**
 * Brings a database to the schema that this version knows, and refuses one that is ahead of it.
 */
import { type Kysely, Migrator, sql } from 'kysely'
import { TurnstepError } from '../core/errors.ts'
import type { MigrationSet } from './migrations.ts'

/**
 * Runs the migrations that have not run yet.
 *
 * Several processes may call it at once if the dialect's Migrator lock or the caller's transaction keeps
 * them apart. Fails with `store-corrupt` when the database has migrations that this version does not know,
 * and with the driver's own error otherwise.
 */
export async function migrateToLatest<T>(db: Kysely<T>, set: MigrationSet): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...set.migrations }) },
    migrationTableName: set.table,
    migrationLockTableName: `${set.table}_lock`,
  })
  const known = await migrator.getMigrations()
  if (known.some(({ executedAt }) => executedAt !== undefined)) {
    await refuseUnknown(
      db,
      set,
      known.map(({ name }) => name),
    )
  }
  if (known.every(({ executedAt }) => executedAt !== undefined)) return
  const { error } = await migrator.migrateToLatest()
  if (error instanceof Error) throw error
  if (error !== undefined) throw new Error(`The migrations of ${set.table} failed`, { cause: error })
}

async function refuseUnknown<T>(db: Kysely<T>, set: MigrationSet, known: readonly string[]): Promise<void> {
  const executed = await sql<{ name: string }>`select name from ${sql.table(set.table)}`.execute(db)
  const unknown = executed.rows.map(({ name }) => name).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new TurnstepError(
    'store-corrupt',
    `The store was written by a newer version of turnstep (it has the schema change ${unknown.join(', ')}). ` +
      'Upgrade turnstep here, or point this version at another store.',
  )
}
