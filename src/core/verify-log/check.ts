/**
 * The parts that `verifyLog` is made of. Each check owns a few rules, reads the whole log once and knows
 * nothing of the others; a new kind of event brings a check of its own.
 */
import type { Event } from '../event.ts'

/** Names of the promises that a log can break. */
export type Rule =
  // envelope
  | 'seq-gapless'
  | 'key-unique'
  | 'key-derived'
  | 'payload-version'
  | 'well-formed-text'
  // order
  | 'one-open-turn'
  | 'turn-ordinal'
  | 'step-ordinal'
  | 'turn-grammar'
  | 'attempt-lost'
  | 'settled'
  | 'phase'
  // inputs
  | 'one-fate'
  | 'claims-recorded'
  | 'claim-lanes'
  | 'turn-id'
  | 'end-inputs'
  | 'step-after-final'
  // messages and calls
  | 'empty-message'
  | 'interrupted-message'
  | 'call-id'
  | 'call-exists'
  | 'one-claim'
  | 'one-receipt'
  | 'claim-before-receipt'
  | 'receipt-says-not-run'
  | 'positive-finish'
  | 'every-call-answered'
  | 'error-flag'
  | 'repeated-call'
  // guardrails
  | 'input-judged'
  | 'judgement-subject'
  | 'draft-judged'
  | 'held-judged'
  | 'draft-counted'
  | 'blocked-by'
  // approvals
  | 'approval-asked'
  | 'approval-arguments'
  | 'approved'
  | 'audit'
  // ends
  | 'completed'
  | 'end-reason'
  | 'end-code'
  | 'end-hand-back'
  | 'end-usage'
  | 'end-cost'
  | 'end-scope'
  | 'session-budget'

export interface Violation {
  readonly rule: Rule
  /** The event at which it shows; absent when it shows at the end of the log. */
  readonly seq?: number
  readonly message: string
}

export type Report = (rule: Rule, message: string, event?: Event) => void

/** One reading of a log. */
export interface Check {
  /** Called once for each event, in order. */
  visit(event: Event): void
  /** Called after the last event of a log in which nothing may be open any more. */
  settle?(): void
}

export type CheckFactory = (report: Report) => Check
