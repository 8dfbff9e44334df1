/**
 * What a human decides on a call that waits: first in the log, then the workflow is woken.
 */
import { approvalKeys, decideDecision } from '../core/decide-approval.ts'
import { TurnstepError } from '../core/errors.ts'
import { parseHeldId } from '../core/ids.ts'
import { decideHeldText } from './decide-text.ts'
import { type DecisionOptions, readDecision } from './decision-options.ts'
import type { SessionLink } from './session-link.ts'
import { notWaiting, positionOf, wake } from './waiting-call.ts'

/**
 * Decides on a call, or on a text that a guardrail holds. The first decision wins; the same again changes nothing and wakes the workflow once more.
 * Fails with `call-not-waiting` where no decision was asked for, `already-decided`, `arguments-changed`,
 * `too-late`, or `invalid-input` for a decision that cannot be meant.
 */
export async function decideCall(link: SessionLink, callId: string, options: DecisionOptions): Promise<void> {
  if (parseHeldId(callId) !== undefined) return decideHeldText(link, callId, options)
  const decision = readDecision(options)
  const position = await positionOf(link, callId)
  const result = await link.store.commit(link.key, {
    keys: approvalKeys(position),
    decide: (view) => decideDecision(view, { position, decision, now: new Date().toISOString() }),
  })
  if (result.kind === 'refused') throw notWaiting(callId, link)
  const { answer } = result
  switch (answer.kind) {
    case 'recorded':
      return wake(link, { v: 1, kind: 'decided', id: callId })
    case 'conflict': {
      const { decision: made, by } = answer.event
      throw new TurnstepError('already-decided', `Call ${callId} was decided before: ${made}, by ${by}.`)
    }
    case 'arguments-changed':
      throw new TurnstepError(
        'arguments-changed',
        `The decision on call ${callId} is about other arguments than those that wait. Look at the approval again.`,
      )
    case 'expired':
      throw new TurnstepError('too-late', `The approval of call ${callId} expired at ${answer.expiresAt}.`)
    case 'not-requested':
    case 'closed':
      throw notWaiting(callId, link)
  }
}
