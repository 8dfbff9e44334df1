/**
 * Does a log keep what the design promises?
 *
 * Checks whatever of the grammar, the keys, the table of phases and the promises about inputs, receipts and
 * ends can be seen in a log. Every test that runs a Turn uses it, and so can users.
 */
import type { Event } from './event.ts'
import type { CheckFactory, Report, Violation } from './verify-log/check.ts'
import { checkApprovals } from './verify-log/check-approvals.ts'
import { checkCalls } from './verify-log/check-calls.ts'
import { checkEnds } from './verify-log/check-ends.ts'
import { checkEnvelope } from './verify-log/check-envelope.ts'
import { checkGuardrails } from './verify-log/check-guardrails.ts'
import { checkInputs } from './verify-log/check-inputs.ts'
import { checkMessages } from './verify-log/check-messages.ts'
import { checkOrder, checkPhases } from './verify-log/check-order.ts'

export type { Rule, Violation } from './verify-log/check.ts'

export interface VerifyOptions {
  /** Whether the Session has come to rest, so that nothing may be open. Default false: prefix rules only. */
  readonly settled?: boolean
}

const CHECKS: readonly CheckFactory[] = [
  checkEnvelope,
  checkOrder,
  checkPhases,
  checkInputs,
  checkMessages,
  checkCalls,
  checkApprovals,
  checkGuardrails,
  checkEnds,
]

/** What is wrong with a Session's log, given from its first event on, in order of `seq`. Empty when all is well. */
export function verifyLog(events: readonly Event[], options: VerifyOptions = {}): readonly Violation[] {
  const violations: Violation[] = []
  const report: Report = (rule, message, event) => {
    violations.push({ rule, message, ...(event === undefined ? {} : { seq: event.seq }) })
  }
  const checks = CHECKS.map((create) => create(report))
  for (const event of events) for (const check of checks) check.visit(event)
  if (options.settled) for (const check of checks) check.settle?.()
  return violations
}

/** Throws one error with every violation in it, if there is any. */
export function assertLog(events: readonly Event[], options: VerifyOptions = {}): void {
  const violations = verifyLog(events, options)
  if (violations.length === 0) return
  const lines = violations.map(
    ({ rule, seq, message }) => `- ${rule}${seq === undefined ? '' : ` at seq ${seq}`}: ${message}`,
  )
  const rules = violations.length === 1 ? 'a rule' : `${violations.length} rules`
  throw new Error(`The log breaks ${rules}:\n${lines.join('\n')}`)
}
