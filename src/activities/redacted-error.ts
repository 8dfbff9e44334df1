import { describeToolError } from '../core/describe-tool-error.ts'
import type { Redactor } from '../core/redaction/create-redactor.ts'

/** What a tool threw, described for the model and redacted before it is cut; withheld when a detector fails. */
export function redactedError(redactor: Redactor, error: unknown): string {
  try {
    return describeToolError(error, redactor.redactText)
  } catch {
    return 'The tool failed, and what it said is withheld because it could not be redacted.'
  }
}
