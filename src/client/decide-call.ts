/**
 * What a human decides on a call that waits: first in the log, then the workflow is woken; and what waits.
 */
import { canonicalArguments } from '../core/canonical-json.ts'
import type { HumanDecision } from '../core/decide-approval.ts'
import { approvalKeys, decideDecision } from '../core/decide-approval.ts'
import { TurnstepError } from '../core/errors.ts'
import type { AuditRecorded, DecisionKind, EventOf } from '../core/event.ts'
import type { SessionLink } from './session-link.ts'
import { notWaiting, positionOf, wake } from './waiting-call.ts'

/** A decision on one call. Fails as {@link decideCall} says. */
export interface DecisionOptions {
  readonly decision: DecisionKind
  /** Digest of the arguments that the human saw, as the approval has it. Absent: of those that are asked about. */
  readonly argumentsDigest?: string
  /** What is to run instead, for `edit`; judged as the model's arguments are. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** For `approve`: this call alone (the default), or this tool for the rest of the Session. */
  readonly scope?: 'once' | 'session'
  /** What follows once the Step's receipts are written. Default `continue`. */
  readonly then?: 'continue' | 'replan'
  /** For the model. */
  readonly note?: string
  /** Who decides. Default `user`. */
  readonly by?: string
}

/** A call that waits for a decision. */
export type PendingApproval = Pick<
  EventOf<'approval/requested'>,
  'callId' | 'tool' | 'arguments' | 'argumentsDigest' | 'risk' | 'expiresAt' | 'turnId' | 'step'
>

/** A call that the client is to run. */
export interface PendingClientCall {
  readonly callId: string
  readonly tool: string
  /** JSON text. */
  readonly arguments: string
  readonly requestId: string
  readonly expiresAt: string
}

/**
 * Decides on a call. The first decision wins; the same again changes nothing and wakes the workflow once more.
 * Fails with `call-not-waiting` where no decision was asked for, `already-decided`, `arguments-changed`,
 * `too-late`, or `invalid-input` for a decision that cannot be meant.
 */
export async function decideCall(link: SessionLink, callId: string, options: DecisionOptions): Promise<void> {
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

/** The calls of the open Step that wait for a decision, and those that wait for the client. */
export async function waitingCalls(
  link: SessionLink,
): Promise<{ readonly approvals: readonly PendingApproval[]; readonly calls: readonly PendingClientCall[] }> {
  const { open } = await link.store.head(link.key)
  if (open?.isStepOpen !== true) return { approvals: [], calls: [] }
  const events = await link.store.read(link.key, { turnId: open.turnId })
  const ofStep = events.filter((event) => 'step' in event && event.step === open.step)
  const settled = new Set(
    ofStep.flatMap((event) =>
      event.type === 'approval/decided' || event.type === 'tool/result'
        ? [`${event.type} ${event.callId}`]
        : [],
    ),
  )
  const message = ofStep.find((event) => event.type === 'assistant/message')
  const argumentsOf = (callId: string): string =>
    (message?.type === 'assistant/message' ? message.calls : []).find((call) => call.callId === callId)
      ?.arguments ?? '{}'
  const edited = new Map(
    ofStep.flatMap((event) =>
      event.type === 'approval/decided' && event.arguments !== undefined
        ? [[event.callId, event.arguments] as const]
        : [],
    ),
  )
  return {
    approvals: ofStep.flatMap((event) => {
      if (event.type !== 'approval/requested') return []
      if (settled.has(`approval/decided ${event.callId}`) || settled.has(`tool/result ${event.callId}`))
        return []
      const { callId, tool, arguments: args, argumentsDigest, risk, expiresAt, turnId, step } = event
      return [{ callId, tool, arguments: args, argumentsDigest, risk, expiresAt, turnId, step }]
    }),
    calls: ofStep.flatMap((event) => {
      if (event.type !== 'tool/call' || event.expiresAt === undefined) return []
      if (settled.has(`tool/result ${event.callId}`)) return []
      const { callId, tool, requestId, expiresAt } = event
      return [{ callId, tool, requestId, expiresAt, arguments: edited.get(callId) ?? argumentsOf(callId) }]
    }),
  }
}

/** What calls of more than low risk did in this Session, in order. */
export async function auditsOf(
  link: SessionLink,
): Promise<readonly (AuditRecorded & { readonly at: string })[]> {
  const events = await link.store.read(link.key, { types: ['audit/recorded'] })
  return events.flatMap((event) => (event.type === 'audit/recorded' ? [event] : []))
}

const DECISIONS: readonly DecisionKind[] = ['approve', 'edit', 'deny', 'replan']

function jsonOf(args: object, invalid: (why: string) => never): string {
  try {
    return canonicalArguments(JSON.stringify(args))
  } catch {
    return invalid('arguments must be plain JSON')
  }
}

function readDecision(options: DecisionOptions): HumanDecision {
  const { decision, argumentsDigest, scope, then, note, by = 'user', arguments: args } = options
  const invalid = (why: string): never => {
    throw new TurnstepError('invalid-input', `The decision cannot be taken: ${why}.`)
  }
  if (!DECISIONS.includes(decision)) invalid(`decision must be one of ${DECISIONS.join(', ')}`)
  if (decision === 'edit' && (typeof args !== 'object' || args === null || Array.isArray(args)))
    invalid('edit needs arguments, an object')
  if (decision !== 'edit' && args !== undefined) invalid('only edit has arguments')
  if (scope !== undefined && scope !== 'once' && scope !== 'session')
    invalid("scope must be 'once' or 'session'")
  if (scope === 'session' && decision !== 'approve') invalid('only approve can be for the session')
  if (then !== undefined && then !== 'continue' && then !== 'replan')
    invalid("then must be 'continue' or 'replan'")
  if (note !== undefined && typeof note !== 'string') invalid('note must be a text')
  if (typeof by !== 'string' || by.trim() === '') invalid('by must be a text')
  return {
    decision,
    by: by.toWellFormed(),
    ...(argumentsDigest === undefined ? {} : { argumentsDigest }),
    ...(scope === undefined || scope === 'once' ? {} : { scope }),
    ...(then === undefined || then === 'continue' ? {} : { then }),
    ...(note === undefined ? {} : { note: note.toWellFormed() }),
    ...(args === undefined ? {} : { arguments: jsonOf(args, invalid) }),
  }
}
