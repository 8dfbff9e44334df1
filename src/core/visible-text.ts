/**
 * Text that somebody decides on, so that nothing of it goes unseen.
 */

/**
 * What shows nothing, turns the direction of what follows, or looks like a space or a line's end. Selectors of variants
 * and tags carry unseen text, too.
 */
export const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00ad\u061c\u2800\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu

/** Control characters but tab, line feed and the carriage return of a CRLF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g

/**
 * Control characters and whatever is invisible become their code point in brackets, `[U+001B]`: nothing is left out,
 * other than where text is only made safe to print.
 */
export function makeVisible(text: string): string {
  return text.toWellFormed().replace(CONTROL, codePointOf).replace(INVISIBLE, codePointOf)
}

/** A character as its code point in brackets. */
export function codePointOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
