/**
 * Search patterns that cost time linear in the line, whatever a model writes and whatever a file contains:
 * RE2's syntax and engine, which never backtracks.
 */
import { RE2JS } from 're2js'
import { describeThrown } from '../../core/describe-tool-error.ts'
import type { TextPattern } from '../../core/grep-spill.ts'

/** A pattern's time grows with its program, too; one without counted repetitions stays below this. */
const MAX_PROGRAM = 1_200

/** What is wrong with a pattern, written for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  readonly guidance =
    'The syntax is RE2: no look-around, no back-references. Escape a sign with \\ to search for it.'
}

/** Whether a line matches. Fails with {@link PatternError} on a pattern that is not RE2's. */
export function compileLinePattern(pattern: string): (line: string) => boolean {
  const expression = parse(pattern)
  return (line) => expression.test(line)
}

/** The same, and where in the line. */
export function compileTextPattern(pattern: string): TextPattern {
  const expression = parse(pattern)
  return {
    test: (text) => expression.test(text),
    find(text, from) {
      const matcher = expression.matcher(text)
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined
    },
  }
}

function parse(pattern: string): RE2JS {
  const expression = compile(pattern)
  if (expression.programSize() > MAX_PROGRAM)
    throw new PatternError('The pattern cannot be used: it is too large. Repeat less in it.')
  return expression
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (cause) {
    throw new PatternError(`The pattern cannot be used: ${describeThrown(cause, 200)}.`, { cause })
  }
}
