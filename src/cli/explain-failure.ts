import { statfs } from 'node:fs/promises'
import { redactForLog } from '../activities/redact-for-log.ts'
import { environment } from '../config.ts'
import { type ErrorCode, isTurnstepError } from '../core/errors.ts'

const FULL_BELOW_BYTES = 16 * 1024 * 1024

/** What a full disk can look like. */
const MAY_BE_FULL: ReadonlySet<ErrorCode> = new Set([
  'store-unavailable',
  'store-corrupt',
  'temporal-unavailable',
])

/** What the system and SQLite say of files that cannot be used. */
const FILE_TROUBLE =
  /^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO|EMFILE|ENFILE|ENOTDIR|EISDIR|SQLITE_(?:FULL|CANTOPEN|READONLY|IOERR|PERM|NOTADB|CORRUPT)\w*)$/

/** A failure of a command as a person is told of it: what happened and what to do; of a bug, where it happened. Redacted. */
export async function explainFailure(error: unknown): Promise<string> {
  return redactForLog(await explain(error))
}

async function explain(error: unknown): Promise<string> {
  if (isTurnstepError(error)) {
    const full = MAY_BE_FULL.has(error.code) ? await fullDisk() : ''
    return `turnstep: ${full === '' ? error.message : ended(error.message)}${full}`
  }
  if (isFileTrouble(error)) {
    const advice = 'See that the data folder is writable, or set TURNSTEP_DATA to another one.'
    return `turnstep: A file cannot be used: ${ended(error.message)} ${advice}${await fullDisk()}`
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `turnstep: An unexpected failure, which is a bug. What was sent is not lost.\n${details}`
}

/** A sentence, with its full stop. */
function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

function isFileTrouble(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && FILE_TROUBLE.test(String(error.code))
}

/** A sentence when the data folder's disk has next to nothing left, else nothing. */
async function fullDisk(): Promise<string> {
  try {
    const { dataDir } = environment()
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize < FULL_BELOW_BYTES ? ` The disk of ${dataDir} is full: free some space.` : ''
  } catch {
    return ''
  }
}
