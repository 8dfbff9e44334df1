/**
 * Problems with arguments, written for the model that sent them.
 */
import { clip, makePrintable } from '../core/printable-text.ts'
import type { UnknownArgument } from './unknown-arguments.ts'

export interface ArgumentProblem {
  readonly path: readonly PropertyKey[]
  readonly rule: string
  /** Left out where naming the value would say nothing. */
  readonly showsValue: boolean
}

const LIMITS = { text: 500, line: 150, value: 60, listed: 5 } as const

const HEAD = 'The arguments do not fit the tool, nothing was run:'

/** Lists path, rule and offending value of each problem; at most 500 characters, with a count of those left out. */
export function describeProblems(problems: readonly ArgumentProblem[], args: unknown): string {
  const lines = problems
    .slice(0, LIMITS.listed)
    .map((problem) => `\n- ${clip(describeProblem(problem, args), LIMITS.line)}`)
  let shown = lines.length
  let text = compose(lines, problems.length)
  while (text.length > LIMITS.text && shown > 1) {
    shown -= 1
    text = compose(lines.slice(0, shown), problems.length)
  }
  return clip(text, LIMITS.text)
}

export function problemOfUnknown({ path, known }: UnknownArgument): ArgumentProblem {
  const allowed = known.length === 0 ? 'none is allowed here' : `allowed: ${known.join(', ')}`
  return { path, rule: `unknown argument (${allowed})`, showsValue: false }
}

function compose(lines: readonly string[], total: number): string {
  const left = total - lines.length
  return HEAD + lines.join('') + (left > 0 ? `\n- and ${left} more` : '')
}

function describeProblem({ path, rule, showsValue }: ArgumentProblem, args: unknown): string {
  const where = path.length === 0 ? 'arguments' : describePath(path)
  const text = `${clip(where, 60)}: ${makePrintable(rule).replaceAll('\n', ' ')}`
  return showsValue
    ? `${clip(text, LIMITS.line - LIMITS.value - 8)}; got ${describeValue(valueAt(args, path))}`
    : text
}

/** `to[0].address`, as one would write it in code. */
function describePath(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return makePrintable(text.startsWith('.') ? text.slice(1) : text)
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let current = args
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Readonly<Record<PropertyKey, unknown>>)[key]
  }
  return current
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  // Only what can be shown is worth serialising: a long text is cut before, not after.
  const short = typeof value === 'string' ? clip(value, LIMITS.value) : value
  return clip((JSON.stringify(short) ?? typeof value).toWellFormed(), LIMITS.value)
}
