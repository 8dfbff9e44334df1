import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'
import type { StorePlace } from '../../../src/testing/session-store-suite.ts'

/** A folder of its own, with a SQLite store in it once that is opened. */
export async function createSqlitePlace(): Promise<StorePlace & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnstep-store-'))
  const path = join(folder, 'store.db')
  return {
    path,
    open: ({ clock }) => openSqliteStore({ path, clock }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
