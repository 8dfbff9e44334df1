import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { diagnoseSqliteError } from '../../src/store/sqlite/diagnose-sqlite-error.ts'

describe('diagnoseSqliteError', () => {
  it.each([
    { code: 'SQLITE_BUSY', kind: 'busy' },
    { code: 'SQLITE_BUSY_SNAPSHOT', kind: 'busy' },
    { code: 'SQLITE_LOCKED', kind: 'busy' },
    { code: 'SQLITE_PROTOCOL', kind: 'busy' },
    { code: 'SQLITE_FULL', kind: 'unavailable' },
    { code: 'SQLITE_IOERR_FSYNC', kind: 'unavailable' },
    { code: 'SQLITE_CANTOPEN', kind: 'unavailable' },
    { code: 'SQLITE_READONLY', kind: 'corrupt' },
    { code: 'SQLITE_READONLY_DBMOVED', kind: 'corrupt' },
    { code: 'SQLITE_NOTADB', kind: 'corrupt' },
    { code: 'SQLITE_CORRUPT_INDEX', kind: 'corrupt' },
    { code: 'SQLITE_ERROR', kind: 'corrupt' },
    { code: 'SQLITE_CONSTRAINT_PRIMARYKEY', kind: 'bug' },
    { code: 'SQLITE_MISUSE', kind: 'bug' },
  ])('takes $code as $kind', ({ code, kind }) => {
    expect(diagnoseSqliteError(new Database.SqliteError('…', code), '/data/store.db').kind).toBe(kind)
  })

  it('names the file and what to do', () => {
    expect(diagnoseSqliteError(new Database.SqliteError('…', 'SQLITE_FULL'), '/data/store.db')).toEqual({
      kind: 'unavailable',
      message:
        'The disk that holds the store at /data/store.db is full. Nothing was written; free some space and try again.',
    })
  })

  it('takes any other error as a bug', () => {
    expect(diagnoseSqliteError(new TypeError('not a function'), '/data/store.db')).toEqual({ kind: 'bug' })
  })
})
