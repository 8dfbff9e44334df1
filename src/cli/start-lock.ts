/**
 * One process at a time starts or joins the server of a folder. A lock of SQLite's: the system drops it with its
 * holder, so that a crash leaves none behind.
 */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { TurnstepError } from '../core/errors.ts'
import { waitUntil } from './wait-until.ts'

/** Starting may include a download. */
const TIMEOUT_MS = 10 * 60_000

/** Runs `body` while no other process runs one with the same folder, which exists. */
export async function withStartLock<T>(folder: string, body: () => Promise<T>): Promise<T> {
  const lock = new Database(join(folder, 'start.lock'), { timeout: 0 })
  try {
    if (!(await waitUntil(() => tryLock(lock), TIMEOUT_MS))) {
      throw new TurnstepError(
        'temporal-unavailable',
        `Another process has been starting a Temporal server in ${folder} for ten minutes.`,
      )
    }
    return await body()
  } finally {
    lock.close()
  }
}

function tryLock(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
