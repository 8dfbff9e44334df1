/**
 * Text that is safe to store, to send to a provider and to show in a terminal.
 *
 * Invariants of what {@link makePrintable} returns: well-formed UTF-16, no control character but
 * tab, line feed and the carriage return of a CRLF, no terminal escape sequence.
 */

/**
 * Terminal sequences: operating system commands that are closed, control sequences, then any other escape. Each
 * part is bounded, so that a text that comes in pieces can be decided piece by piece.
 */
const TERMINAL_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]{0,200}[ -/]{0,20}[@-~]|\x1b[ -/]{0,20}[0-~]?/g

/** What begins a terminal sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SEQUENCE_START = /[\x1b\x9b\x9d]/g

/** No terminal sequence is longer, in UTF-16 units. */
const LONGEST_SEQUENCE = 2_004

const LONE_CARRIAGE_RETURN = /\r(?!\n)/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** Escape sequences are removed, other control characters become U+FFFD, so do lone surrogates. Never grows the text. */
export function makePrintable(text: string): string {
  return replaceControls(removeSequences(text.toWellFormed()))
}

/** The first half of {@link makePrintable}, on well-formed text. */
export function removeSequences(text: string): string {
  return text.replace(TERMINAL_SEQUENCE, '')
}

/** The second half of {@link makePrintable}, on text without terminal sequences. */
export function replaceControls(text: string): string {
  return text.replace(LONE_CARRIAGE_RETURN, '\n').replace(CONTROL, '\uFFFD')
}

/** How much of a beginning {@link removeSequences} treats the same whatever follows it, in UTF-16 units. */
export function decidedLength(text: string): number {
  const sequence = new RegExp(TERMINAL_SEQUENCE.source, 'y')
  const start = new RegExp(SEQUENCE_START)
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    if (found.index + LONGEST_SEQUENCE > text.length) return found.index
    sequence.lastIndex = found.index
    start.lastIndex = found.index + (sequence.exec(text)?.[0].length ?? 1)
  }
  return text.length
}

/** Size in UTF-8, in bytes; a lone surrogate counts as the replacement character that it would become. */
export function utf8Bytes(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (isPairAt(text, index)) {
      bytes += 4
      index += 1
    } else bytes += 3
  }
  return bytes
}

/** The longest beginning of at most `limit` UTF-16 units that splits no surrogate pair. */
export function headOf(text: string, limit: number): string {
  if (text.length <= limit) return text
  return text.slice(0, isPairAt(text, limit - 1) ? limit - 1 : Math.max(limit, 0))
}

/** The longest end of at most `limit` UTF-16 units that splits no surrogate pair. */
export function tailOf(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = text.length - Math.max(limit, 0)
  return text.slice(isPairAt(text, start - 1) ? start + 1 : start)
}

/** The text if it fits, else its beginning and an ellipsis, together at most `limit` units. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${headOf(text, limit - 1)}…`
}

/** Whether the last UTF-16 unit is the first half of a surrogate pair. */
export function endsInHalfPair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index)
  const low = text.charCodeAt(index + 1)
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}
