/**
 * Search patterns that cost time linear in the line, whatever a model writes and whatever a file contains:
 * RE2's syntax and engine, which never backtracks.
 */
import { RE2JS } from 're2js'
import { describeThrown } from '../../core/describe-tool-error.ts'

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

function parse(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (cause) {
    throw new PatternError(`The pattern cannot be used: ${describeThrown(cause, 200)}.`, { cause })
  }
}
