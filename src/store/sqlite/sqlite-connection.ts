/**
 * One connection to a SQLite file, and Kysely on top of it.
 */
import Database from 'better-sqlite3'
import { Kysely, type SqliteDatabase, SqliteDialect, SqliteDriver, type SqliteStatement } from 'kysely'
import { TurnstepError } from '../../core/errors.ts'

/**
 * How long SQLite itself waits for a lock. It waits with the event loop stopped, so this is short; but it
 * comes back to the lock more often than a timer could, without which a process starves beside busy ones.
 */
const BUSY_TIMEOUT_MS = 10

const PREPARED_STATEMENTS = 200

/**
 * Opens or creates a file for reading and writing, in WAL mode.
 *
 * `full`: a commit is on the disk when it returns. `off`: the file may be lost with the machine, not with
 * the process.
 */
export function connect(path: string, synchronous: 'full' | 'off'): Database.Database {
  const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    const journal = connection.pragma('journal_mode = wal', { simple: true })
    if (journal !== 'wal') {
      throw new TurnstepError(
        'store-corrupt',
        `SQLite cannot keep a write-ahead log for ${path}, which it needs shared memory for. Put the store on a local disk.`,
      )
    }
    connection.pragma(`synchronous = ${synchronous}`)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Opens a file that exists for looking at only. */
export function connectReadOnly(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
}

/** Kysely on one connection, whose statements it prepares once each. `destroy` closes the connection. */
export function kyselyOn<T>(connection: Database.Database): Kysely<T> {
  return new Kysely<T>({ dialect: new OneConnectionDialect(connection) })
}

class OneConnectionDialect extends SqliteDialect {
  readonly #connection: Database.Database

  constructor(connection: Database.Database) {
    super({ database: connection })
    this.#connection = connection
  }

  override createDriver(): SqliteDriver {
    return new RollbackOnceDriver(this.#connection)
  }
}

/**
 * Some errors (a full disk, say) make SQLite roll back by itself. A second rollback would fail, and that
 * failure would be reported in place of the error.
 */
class RollbackOnceDriver extends SqliteDriver {
  readonly #connection: Database.Database

  constructor(connection: Database.Database) {
    super({ database: preparingOnce(connection) })
    this.#connection = connection
  }

  override async rollbackTransaction(
    connection: Parameters<SqliteDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection)
  }
}

function preparingOnce(connection: Database.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      if (statements.size >= PREPARED_STATEMENTS) statements.clear()
      const statement = connection.prepare<unknown[]>(sql)
      statements.set(sql, statement)
      return statement
    },
    close() {
      connection.close()
    },
  }
}
