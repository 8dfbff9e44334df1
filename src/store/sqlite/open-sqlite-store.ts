/**
 * The embedded store: a SQLite file for the log, and a sibling for live text.
 *
 * 1. Everything that opens or migrates happens inside one write transaction on the log's file, so processes
 *    that start together take turns.
 * 2. The live file is disposable: one that is damaged is replaced, under that same lock.
 */
import { accessSync, constants, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { ApiKeyStore } from '../../core/access.ts'
import { TurnstepError } from '../../core/errors.ts'
import type { Clock, SessionStore } from '../../core/ports.ts'
import { migrateToLatest } from '../migrate-to-latest.ts'
import { LIVE_MIGRATIONS, LOG_MIGRATIONS } from '../migrations.ts'
import type { LiveSchema, Schema } from '../schema.ts'
import type { Diagnosis, SqlDialect } from '../sql-dialect.ts'
import { createSqlStore } from '../sql-store.ts'
import { DEFAULT_PATIENCE_MS, withPatience } from '../with-patience.ts'
import { diagnoseSqliteError, isDamage } from './diagnose-sqlite-error.ts'
import { connect, kyselyOn } from './sqlite-connection.ts'
import { type SqliteWatch, watchSqliteFiles } from './watch-sqlite.ts'

export interface SqliteStoreOptions {
  /** The log's file; missing folders are made. Live text goes to the same path with `.live` behind it. */
  readonly path: string
  /** For `at` and `changedAt`. Default: the system's. */
  readonly clock?: Clock
  /** How long a call waits for another process's lock before it fails as `store-unavailable`. Default 5,000. */
  readonly patienceMs?: number
}

/**
 * Opens the store at a path, creating or migrating it. Several processes may have it open, and open it at
 * the same moment.
 *
 * Fails with `invalid-config` for a path that names no file, `store-corrupt` when a human has to look (not a
 * database, a newer schema, not writable), and `store-unavailable` when it may work later.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SessionStore & ApiKeyStore> {
  const { clock, patienceMs = DEFAULT_PATIENCE_MS } = options
  const path = toFilePath(options.path)
  makeFolderOf(path)
  const diagnose = (error: unknown): Diagnosis =>
    explainCannotOpen(diagnoseSqliteError(error, path), error, path)
  const files = await withPatience({ patienceMs, diagnose }, () => openFiles(path))
  const dialect: SqlDialect = {
    writeLock: 'database',
    diagnose: (error) => diagnoseSqliteError(error, path),
    watch: (listener) => files.watch.watch(listener),
    close: () => Promise.resolve(files.close()),
  }
  return createSqlStore(files.db, files.live, {
    dialect,
    patienceMs,
    ...(clock === undefined ? {} : { clock }),
  })
}

interface OpenFiles {
  readonly db: Kysely<Schema>
  readonly live: Kysely<LiveSchema>
  readonly watch: SqliteWatch
  close(): void
}

/** Leaves nothing open when it fails. */
async function openFiles(path: string): Promise<OpenFiles> {
  const opened: { close(): void }[] = []
  const close = (): void => {
    for (const one of opened.splice(0).reverse()) one.close()
  }
  const keep = <T extends { close(): void }>(one: T): T => {
    opened.push(one)
    return one
  }
  try {
    const log = keep(connect(path, 'full'))
    const db = kyselyOn<Schema>(log)
    log.exec('begin immediate')
    await migrateToLatest(db, LOG_MIGRATIONS)
    proveWritable(log, 'sessions')
    const live = await openLive(livePathOf(path), keep)
    log.exec('commit')
    const watch = keep(watchSqliteFiles([path, livePathOf(path)]))
    return { db, live, watch, close }
  } catch (error) {
    close()
    throw error
  }
}

type Keep = (file: Database.Database) => Database.Database

async function openLive(path: string, keep: Keep): Promise<Kysely<LiveSchema>> {
  try {
    return await connectLive(path, keep)
  } catch (error) {
    if (!isDamage(error)) throw error
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return await connectLive(path, keep)
  }
}

async function connectLive(path: string, keep: Keep): Promise<Kysely<LiveSchema>> {
  const file = keep(connect(path, 'off'))
  try {
    const live = kyselyOn<LiveSchema>(file)
    file.exec('begin immediate')
    refuseDamage(file)
    await migrateToLatest(live, LIVE_MIGRATIONS)
    proveWritable(file, 'live')
    file.exec('commit')
    return live
  } catch (error) {
    file.close()
    throw error
  }
}

/** A file without synchronous writes may have lost some of them with the machine, and not know. */
function refuseDamage(file: Database.Database): void {
  const found = file.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Database.SqliteError(String(found), 'SQLITE_CORRUPT')
}

/** SQLite opens a file that it may not write for reading, and says so only at the first write. */
function proveWritable(file: Database.Database, table: string): void {
  file.exec(`delete from ${table} where false`)
}

function livePathOf(path: string): string {
  return `${path}.live`
}

/** SQLite reads an empty path and `:memory:` as a database of one connection, which a store cannot share. */
function toFilePath(path: string): string {
  if (path !== '' && path !== ':memory:') return resolve(path)
  throw new TurnstepError(
    'invalid-config',
    `A SQLite store needs a file, and "${path}" names none. Give it a path.`,
  )
}

function makeFolderOf(path: string): void {
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
    const message = `The folder ${folder} of the store cannot be made. Make it, or choose another path.`
    throw new TurnstepError(isFull ? 'store-unavailable' : 'store-corrupt', message, { cause })
  }
}

/** SQLite says `SQLITE_CANTOPEN` for what will pass (too many open files) and for what will not. */
function explainCannotOpen(diagnosis: Diagnosis, error: unknown, path: string): Diagnosis {
  const isCannotOpen =
    error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CANTOPEN')
  if (!isCannotOpen) return diagnosis
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) {
    return { kind: 'corrupt', message: `The store's path ${path} is a folder. Give the path of a file.` }
  }
  try {
    accessSync(found === undefined ? dirname(path) : path, constants.R_OK | constants.W_OK)
    return diagnosis
  } catch {
    return {
      kind: 'corrupt',
      message: `This process may not read and write the store at ${path}. Give it access to the file and its folder.`,
    }
  }
}
