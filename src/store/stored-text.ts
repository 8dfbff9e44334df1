/**
 * Text on its way into a column and back.
 */
import { TurnstepError } from '../core/errors.ts'

/**
 * An identifier as a column can hold it: lone surrogates and NUL become U+FFFD.
 *
 * Ids that were checked at the edges are returned as they are. What was not must still find the row it
 * wrote, so every write and every look-up passes through here.
 */
export function toColumnText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** The value of a JSON column. Fails with `store-corrupt`, naming `what`, when it is no JSON. */
export function parseStored(json: string, what: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new TurnstepError(
      'store-corrupt',
      `The store's ${what} cannot be read. Restore the store from a backup.`,
      {
        cause,
      },
    )
  }
}
