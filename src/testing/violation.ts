/**
 * What can be wrong with a request, and how it is reported.
 */
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

/** What OpenAI allows as a function's name. */
export const FUNCTION_NAME = /^[A-Za-z0-9_-]{1,64}$/

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One line a violation. */
export function describeViolation(violation: Violation): string {
  return `${violation.rule}: ${violation.path} ${violation.problem}`.trim()
}
