/** What stands for redacted text: `[card:3f9a1c07]`. */
export const PLACEHOLDER = /\[[a-z][a-z0-9-]{0,31}:[0-9a-f]{8}\]/g

const DIGITS = 8

/**
 * The placeholder of a text. `digest` is keyed and answers with lower-case hexadecimal digits; few of them are shown,
 * so that two cards are told apart and none can be found out.
 */
export function placeholderOf(
  detector: string,
  normalized: string,
  digest: (text: string) => string,
): string {
  return `[${detector}:${digest(`${detector} ${normalized}`).slice(0, DIGITS)}]`
}
