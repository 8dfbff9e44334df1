/**
 * The rules that strict providers hold a Chat Completions request to, as one pure function.
 *
 * Sources: the published schema of OpenAI's API (types, required fields, name and id patterns), and what strict
 * compatible servers refuse beyond it (empty content, a conversation that ends with the assistant, a system
 * message that is not the first). A request that passes is one that any of them takes.
 */
import { findMessageViolations } from './find-message-violations.ts'
import { findToolViolations } from './find-tool-violations.ts'
import { isRecord, type Report, type Violation } from './violation.ts'

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
