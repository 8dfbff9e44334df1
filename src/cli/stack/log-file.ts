import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Beyond this the file of before is kept aside, once, and a new one begun. */
const MAX_BYTES = 4 * 1024 * 1024

/** Where a data folder keeps what the worker logged. */
export function logPathOf(dataDir: string): string {
  return join(dataDir, 'worker.log')
}

/** A function that adds lines to a file. Never fails: a log that cannot be written is no reason to stop. */
export function fileLog(path: string): (line: string) => void {
  attempt(() => mkdirSync(dirname(path), { recursive: true }))
  attempt(() => {
    if (statSync(path).size > MAX_BYTES) renameSync(path, `${path}.1`)
  })
  return (line) => attempt(() => appendFileSync(path, `${line}\n`))
}

function attempt(action: () => void): void {
  try {
    action()
  } catch {
    // Nobody to tell.
  }
}
