/**
 * Text that is safe to store, to send to a provider and to show in a terminal.
 *
 * Invariants of what {@link makePrintable} returns: well-formed UTF-16, no control character but
 * tab, line feed and the carriage return of a CRLF, no terminal escape sequence.
 */

/** Terminal sequences: operating system commands that are closed, control sequences, then any other escape. */
const TERMINAL_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?/g

const LONE_CARRIAGE_RETURN = /\r(?!\n)/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** Escape sequences are removed, other control characters become U+FFFD, so do lone surrogates. Never grows the text. */
export function makePrintable(text: string): string {
  return text
    .toWellFormed()
    .replace(TERMINAL_SEQUENCE, '')
    .replace(LONE_CARRIAGE_RETURN, '\n')
    .replace(CONTROL, '\uFFFD')
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

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index)
  const low = text.charCodeAt(index + 1)
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}
