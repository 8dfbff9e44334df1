/**
 * Search patterns that cost a bounded time per line, whatever a model writes and whatever a file contains.
 *
 * A backtracking engine is safe only while few ways to match exist: so no groups, at most one repetition in each
 * alternative, and short lines. That makes the cost of a line at most the square of its length.
 */

/** What is wrong with a pattern, written for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** Lines are searched up to here, in UTF-16 units. */
export const SEARCHED_LINE_LENGTH = 2_000

const MAX_PATTERN_LENGTH = 500

/** An atom and what repeats it. */
const PART =
  /(\\[dDwWsSbBtnr]|\\[^A-Za-z0-9]|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\[\](){}*+?|]|[{}\]](?!\d))(\?|[*+]\??|\{\d{1,3}(?:,\d{0,3})?\}\??)?/y

/** Whether a line matches. Fails with {@link PatternError} on a pattern that is not supported. */
export function compileLinePattern(pattern: string): (line: string) => boolean {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new PatternError(`The pattern is longer than ${MAX_PATTERN_LENGTH} characters.`)
  const ignoresCase = pattern.startsWith('(?i)')
  const body = ignoresCase ? pattern.slice(4) : pattern
  checkParts(body)
  const expression = toRegExp(body, ignoresCase ? 'i' : '')
  return (line) =>
    expression.test(line.length > SEARCHED_LINE_LENGTH ? line.slice(0, SEARCHED_LINE_LENGTH) : line)
}

function checkParts(body: string): void {
  let repetitions = 0
  PART.lastIndex = 0
  while (PART.lastIndex < body.length) {
    const at = PART.lastIndex
    if (body[at] === '|') {
      PART.lastIndex = at + 1
      repetitions = 0
      continue
    }
    const match = PART.exec(body)
    if (match === null)
      throw unsupported(
        `${JSON.stringify(body.slice(at, at + 10).toWellFormed())} at position ${at + 1} is not`,
      )
    if (match[2] !== undefined && match[2] !== '?') repetitions += 1
    if (repetitions > 1) throw unsupported('a second *, + or {n} is not')
  }
}

function unsupported(what: string): PatternError {
  return new PatternError(
    `Supported are characters, escapes, classes, anchors, alternatives with | and one *, + or {n} in each; ${what}. Escape a sign with \\ to search for it.`,
  )
}

function toRegExp(body: string, flags: string): RegExp {
  try {
    return new RegExp(body, flags)
  } catch (cause) {
    throw new PatternError('The pattern is not a regular expression.', { cause })
  }
}
