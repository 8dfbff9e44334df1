/**
 * Noticing commits to SQLite files, whichever process made them.
 *
 * `PRAGMA data_version` changes when another connection commits, so each file gets a connection that does
 * nothing but look. The timer runs only while somebody listens, and keeps no process alive.
 */
import Database from 'better-sqlite3'
import { connectReadOnly } from './sqlite-connection.ts'

const POLL_INTERVAL_MS = 20

export interface SqliteWatch {
  /** As `SessionStore.watch`. */
  watch(listener: () => void): () => void
  close(): void
}

/** Opens a looking connection for each file; fails as opening does. */
export function watchSqliteFiles(paths: readonly string[]): SqliteWatch {
  const files = paths.map(connectReadOnly)
  const versions = files.map((file) => file.prepare<[], number>('pragma data_version').pluck())
  const listeners = new Set<{ readonly notify: () => void }>()
  let seen: readonly (number | undefined)[] = []
  let timer: NodeJS.Timeout | undefined

  const look = (): readonly (number | undefined)[] =>
    versions.map((version, index) => readVersion(version) ?? seen[index])
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const poll = (): void => {
    const current = look()
    if (current.every((version, index) => version === seen[index])) return
    seen = current
    for (const listener of listeners) queueMicrotask(() => listeners.has(listener) && listener.notify())
  }

  return {
    watch(notify) {
      const listener = { notify }
      listeners.add(listener)
      if (timer === undefined) {
        seen = look()
        timer = setInterval(poll, POLL_INTERVAL_MS).unref()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    close() {
      stop()
      listeners.clear()
      for (const file of files) file.close()
    },
  }
}

/** Undefined while SQLite cannot tell: the next look compares with what was seen before, so nothing is missed. */
function readVersion(version: Database.Statement<[], number>): number | undefined {
  try {
    return version.get()
  } catch (error) {
    if (error instanceof Database.SqliteError) return undefined
    throw error
  }
}
