/**
 * The worker's seat of a data folder: one of its processes at a time runs the worker, the others send their
 * Turns to it, so that a Turn is answered by the agents and the folder that were announced.
 *
 * The seat is a lock of SQLite's, which the system drops with its holder; beside it stands who the holder is.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Environment } from '../../config.ts'
import { TurnstepError } from '../../core/errors.ts'

export interface AnnouncedAgent {
  readonly name: string
  /** One line on the model behind it. */
  readonly description: string
}

/** Who has the seat. */
export interface SeatHolder {
  readonly pid: number
  /** The folder that its agents work on. */
  readonly folder: string
  /** The default one first. */
  readonly agents: readonly AnnouncedAgent[]
  readonly database: string
}

/** The seat of a data folder, for one Temporal server, namespace and task queue. */
export class WorkerSeat {
  readonly #lock: Database.Database
  readonly #recordPath: string
  #isTaken = false

  constructor({ dataDir, temporal, taskQueue }: Environment) {
    const folder = join(dataDir, 'worker')
    const place = JSON.stringify([temporal.address ?? '', temporal.namespace, taskQueue])
    const name = createHash('sha256').update(place).digest('hex').slice(0, 12)
    try {
      mkdirSync(folder, { recursive: true })
      this.#lock = new Database(join(folder, `${name}.lock`), { timeout: 0 })
    } catch (cause) {
      throw cannotUse(folder, cause)
    }
    this.#recordPath = join(folder, `${name}.json`)
  }

  /** Takes the seat if it is free. */
  tryTake(): boolean {
    if (this.#isTaken) return true
    try {
      this.#lock.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
      throw cannotUse(this.#recordPath, error)
    }
    this.#isTaken = true
    // One that died left its record.
    rmSync(this.#recordPath, { force: true })
    return true
  }

  /** Says who sits here, for the others. */
  announce(holder: SeatHolder): void {
    writeFileSync(`${this.#recordPath}.next`, `${JSON.stringify(holder)}\n`)
    renameSync(`${this.#recordPath}.next`, this.#recordPath)
  }

  /** Who sits here, once it has said so. Only of meaning while {@link tryTake} says that somebody does. */
  holder(): SeatHolder | undefined {
    try {
      return JSON.parse(readFileSync(this.#recordPath, 'utf8')) as SeatHolder
    } catch {
      return undefined
    }
  }

  /** Gives the seat back, if it was taken. Idempotent. */
  release(): void {
    if (!this.#lock.open) return
    if (this.#isTaken) rmSync(this.#recordPath, { force: true })
    this.#lock.close()
  }
}

function cannotUse(path: string, cause: unknown): TurnstepError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new TurnstepError(
    'store-unavailable',
    `${path} cannot be written (${why}). Make the data folder writable and see that its disk has space, or set TURNSTEP_DATA to another folder.`,
    { cause },
  )
}
