/**
 * What may be said of a call, or of a text, that waits for a human; checked here.
 */
import { canonicalArguments } from '../core/canonical-json.ts'
import type { HumanDecision } from '../core/decide-approval.ts'
import { TurnstepError } from '../core/errors.ts'
import type { DecisionKind } from '../core/event.ts'

/** A decision on one call, or on a text that a guardrail holds. Fails as `decideCall` says. */
export interface DecisionOptions {
  readonly decision: DecisionKind
  /** Digest of the arguments (or the text) that the human saw, as the approval has it. Absent: of those that wait. */
  readonly argumentsDigest?: string
  /** What is to run instead, for `edit`; judged as the model's arguments are. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** What is to be said instead, for `edit` of a text. */
  readonly text?: string
  /** For `approve` of a call: this call alone (the default), or this tool for the rest of the Session. */
  readonly scope?: 'once' | 'session'
  /** What follows once the Step's receipts are written. Default `continue`. */
  readonly then?: 'continue' | 'replan'
  /** For the model. */
  readonly note?: string
  /** Who decides. Default `user`. */
  readonly by?: string
}

/** Who decided, as the log has it, where a rule did. */
const NOBODY = 'policy'

const DECISIONS: readonly DecisionKind[] = ['approve', 'edit', 'deny', 'replan']

/** What every decision has: who decides, and a note. Fails with `invalid-input`. */
export function readDecider({ decision, note, by = 'user' }: DecisionOptions): {
  readonly by: string
  readonly note?: string
  invalid(why: string): never
} {
  const invalid = (why: string): never => {
    throw new TurnstepError('invalid-input', `The decision cannot be taken: ${why}.`)
  }
  if (!DECISIONS.includes(decision)) invalid(`decision must be one of ${DECISIONS.join(', ')}`)
  if (note !== undefined && typeof note !== 'string') invalid('note must be a text')
  if (typeof by !== 'string' || by.trim() === '') invalid('by must be a text')
  if (by === NOBODY) invalid(`by cannot be ${NOBODY}: the log says so where nobody decided`)
  return { by: by.toWellFormed(), ...(note === undefined ? {} : { note: note.toWellFormed() }), invalid }
}

/** A decision on a call. Fails with `invalid-input` for one that cannot be meant. */
export function readDecision(options: DecisionOptions): HumanDecision {
  const { decision, argumentsDigest, scope, then, text, arguments: args } = options
  const { by, note, invalid } = readDecider(options)
  if (text !== undefined) invalid('a call has no text')
  if (decision === 'edit' && (typeof args !== 'object' || args === null || Array.isArray(args)))
    invalid('edit needs arguments, an object')
  if (decision !== 'edit' && args !== undefined) invalid('only edit has arguments')
  if (scope !== undefined && scope !== 'once' && scope !== 'session')
    invalid("scope must be 'once' or 'session'")
  if (scope === 'session' && decision !== 'approve') invalid('only approve can be for the session')
  if (then !== undefined && then !== 'continue' && then !== 'replan')
    invalid("then must be 'continue' or 'replan'")
  return {
    decision,
    by,
    ...(argumentsDigest === undefined ? {} : { argumentsDigest }),
    ...(scope === undefined || scope === 'once' ? {} : { scope }),
    ...(then === undefined || then === 'continue' ? {} : { then }),
    ...(note === undefined ? {} : { note }),
    ...(args === undefined ? {} : { arguments: jsonOf(args, invalid) }),
  }
}

function jsonOf(args: object, invalid: (why: string) => never): string {
  try {
    return canonicalArguments(JSON.stringify(args))
  } catch {
    return invalid('arguments must be plain JSON')
  }
}
