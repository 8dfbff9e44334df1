/**
 * The rules that strict providers hold a Chat Completions request to, as one pure function.
 *
 * Sources: the published schema of OpenAI's API (types, required fields, name and id patterns), and what strict
 * compatible servers refuse beyond it (empty content, a conversation that ends with the assistant, a system
 * message that is not the first). A request that passes is one that any of them takes.
 */
import { findMessageViolations } from './find-message-violations.ts'
import { findToolViolations } from './find-tool-violations.ts'

export type ViolationRule =
  | 'body'
  | 'model'
  | 'stream'
  | 'messages'
  | 'role-order'
  | 'content'
  | 'empty-assistant-message'
  | 'tool-calls'
  | 'arguments'
  | 'unanswered-call'
  | 'orphan-receipt'
  | 'doubled-receipt'
  | 'misplaced-receipt'
  | 'call-id'
  | 'tools'
  | 'text'

export interface Violation {
  readonly rule: ViolationRule
  /** Where, as a path into the body (`messages[3].content`). */
  readonly path: string
  readonly problem: string
}

export type Report = (rule: ViolationRule, path: string, problem: string) => void

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Everything that is wrong with a parsed request body, in order of the body. Linear in its size. */
export function findViolations(body: unknown): readonly Violation[] {
  const violations: Violation[] = []
  const report: Report = (rule, path, problem) => violations.push({ rule, path, problem })
  if (!isRecord(body)) {
    report('body', '', 'The body must be a JSON object.')
    return violations
  }
  if (typeof body['model'] !== 'string' || body['model'] === '')
    report('model', 'model', 'must be a non-empty string')
  if (body['stream'] !== undefined && typeof body['stream'] !== 'boolean')
    report('stream', 'stream', 'must be a boolean')
  if (body['stream_options'] !== undefined && body['stream'] !== true) {
    report('stream', 'stream_options', 'is only allowed when stream is true')
  }
  findMessageViolations(body['messages'], report)
  findToolViolations(body['tools'], report)
  findTextViolations(body, '', report)
  return violations
}

/** One line a violation. */
export function describeViolation(violation: Violation): string {
  return `${violation.rule}: ${violation.path} ${violation.problem}`.trim()
}

function findTextViolations(value: unknown, path: string, report: Report): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      report('text', path, 'holds half of a surrogate pair, which is not valid Unicode')
    if (value.includes('\0')) report('text', path, 'holds a NUL character')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findTextViolations(item, `${path}[${index}]`, report)
  } else if (isRecord(value)) {
    for (const [field, item] of Object.entries(value)) {
      findTextViolations(item, path === '' ? field : `${path}.${field}`, report)
    }
  }
}
