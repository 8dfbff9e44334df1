/**
 * What SQLite's result codes mean for a store, and what to do about each.
 */
import Database from 'better-sqlite3'
import type { Diagnosis } from '../sql-dialect.ts'

/** Extended codes (`SQLITE_IOERR_WRITE`) are read as the primary code they begin with. */
const PRIMARY_CODE = /^SQLITE_[A-Z]+/

/** Judges an error that came out of better-sqlite3 while using the store at `path`. */
export function diagnoseSqliteError(error: unknown, path: string): Diagnosis {
  if (!(error instanceof Database.SqliteError)) return { kind: 'bug' }
  const { code } = error
  switch (PRIMARY_CODE.exec(code)?.[0]) {
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
    case 'SQLITE_PROTOCOL':
      return {
        kind: 'busy',
        message: `The store at ${path} is locked by another process. Try again; if it stays locked, find the process that holds a transaction on it open.`,
      }
    case 'SQLITE_FULL':
      return {
        kind: 'unavailable',
        message: `The disk that holds the store at ${path} is full. Nothing was written; free some space and try again.`,
      }
    case 'SQLITE_IOERR':
    case 'SQLITE_NOMEM':
      return {
        kind: 'unavailable',
        message: `The store at ${path} cannot be read or written now (${code}). Check its disk, then try again.`,
      }
    case 'SQLITE_CANTOPEN':
      return {
        kind: 'unavailable',
        message: `The store at ${path} cannot be opened (${code}). Check that its folder is there and that the limit of open files is not reached, then try again.`,
      }
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
    case 'SQLITE_AUTH':
      return {
        kind: 'corrupt',
        message: `The store at ${path} cannot be written (${code}). Make the file and its folder writable for this process.`,
      }
    case 'SQLITE_NOTADB':
      return {
        kind: 'corrupt',
        message: `The file ${path} is not a SQLite database. Point the store at another file, or move this one away.`,
      }
    case 'SQLITE_CORRUPT':
      return {
        kind: 'corrupt',
        message: `The store at ${path} is damaged (${code}). Stop every process that uses it and restore it from a backup, or save what can be read with "sqlite3 ${path} .recover".`,
      }
    case 'SQLITE_ERROR':
      return {
        kind: 'corrupt',
        message: `The tables in ${path} are not those that this version of turnstep made (${error.message}). Point the store at another file, or restore it from a backup.`,
      }
    default:
      return { kind: 'bug' }
  }
}

/** Whether the file itself is beyond use: not a database, or a damaged one. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)
}
