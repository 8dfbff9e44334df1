/**
 * Text from outside on its way to a terminal, piece by piece.
 */
import { makePrintable } from '../../core/printable-text.ts'

/** The beginning of a terminal sequence, a surrogate pair or a line end whose rest may be in the next piece. */
const UNFINISHED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /(?:\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b\x9c\n]*\x1b?|[ -/]+)?|\x9d[^\x07\x1b\x9c\n]*\x1b?|\x9b[0-?]*[ -/]*|[\ud800-\udbff]|\r)$/

/** A sequence that goes on for longer is none. */
const MAX_HELD = 2_100

/** Neutralises terminal sequences as {@link makePrintable} does, also those that are cut between two pieces. */
export class TerminalText {
  #held = ''

  /** What of the text so far can be shown and was not yet. */
  push(piece: string): string {
    const text = this.#held + piece
    const start = UNFINISHED.exec(text)?.index ?? text.length
    const isHeld = text.length - start <= MAX_HELD
    this.#held = isHeld ? text.slice(start) : ''
    return makePrintable(isHeld ? text.slice(0, start) : text)
  }

  /** The rest: nothing more comes. */
  end(): string {
    const rest = makePrintable(this.#held)
    this.#held = ''
    return rest
  }
}

/** Text from outside as one short line. */
export function oneLine(text: string, limit: number): string {
  const line = makePrintable(text.slice(0, 4 * limit))
    .replaceAll(/\s+/g, ' ')
    .trim()
  const points = Array.from(line)
  return points.length <= limit ? line : `${points.slice(0, limit - 1).join('')}…`
}
