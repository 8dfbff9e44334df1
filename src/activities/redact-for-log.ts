/**
 * Redaction of what leaves for people who run the system: failures as Temporal keeps them, lines of a log. Its
 * placeholders hold within one process.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { createRedactor } from '../core/redaction/create-redactor.ts'

const SECRET = randomBytes(32)

const redactor = createRedactor({
  digest: (text) => createHmac('sha256', SECRET).update(text, 'utf8').digest('hex'),
})

const WITHHELD = 'Withheld, because it could not be redacted.'

/** The text without what the default detectors find; never fails. */
export function redactForLog(text: string): string {
  try {
    return redactor.redactText(text)
  } catch {
    return WITHHELD
  }
}

/** Causes beyond are left out. */
const DEEPEST_CAUSE = 5

/** An error of the same name that says the same, redacted, with its causes; the very error if there is nothing to hide. */
export function redactError(error: Error, depth = 0): Error {
  const { name, message, stack = '' } = error
  const shown = { message: redactForLog(message), stack: redactForLog(stack), cause: causeOf(error, depth) }
  if (shown.message === message && shown.stack === stack && shown.cause === error.cause) return error
  const copy = new Error(shown.message, shown.cause === undefined ? {} : { cause: shown.cause })
  return Object.assign(copy, { name, stack: shown.stack })
}

function causeOf({ cause }: Error, depth: number): unknown {
  if (depth >= DEEPEST_CAUSE || cause === undefined || cause === null) return undefined
  return cause instanceof Error ? redactError(cause, depth + 1) : redactForLog(String(cause))
}
