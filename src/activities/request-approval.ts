/**
 * Asking a human: the request is written to the log, where whoever may decide finds it.
 */
import { DEFAULT_POLICY } from '../core/authorize-call.ts'
import type { ApprovalRequestAnswer } from '../core/decide-approval.ts'
import { approvalKeys, decideRequest } from '../core/decide-approval.ts'
import { decidedReceipt } from '../core/decide-step.ts'
import { sessionOfActivity } from './attempt.ts'
import type { RequestApprovalAnswer, RequestApprovalRequest } from './contracts.ts'
import { digestOf } from './digest.ts'
import { findCall } from './find-call.ts'
import { notifyCount } from './notify.ts'
import type { BoundPorts } from './ports.ts'

export async function requestApproval(
  ports: BoundPorts,
  request: RequestApprovalRequest,
): Promise<RequestApprovalAnswer> {
  const { store, snapshots } = ports
  const key = sessionOfActivity()
  const found = await findCall(ports, key, request)
  if (found === undefined) return { kind: 'log-behind' }
  const { call, position, validation, head } = found
  const snapshot = await snapshots.load(key.tenant, head.open?.agentDigest ?? '')
  const { approvalTimeoutMs } = snapshot?.policy ?? DEFAULT_POLICY
  const offer = {
    ...position,
    tool: call.tool,
    arguments: call.arguments,
    argumentsDigest: digestOf(call.arguments),
    // What cannot be judged any more waits as what it was when the message was judged: at least it asks.
    risk: validation?.kind === 'valid' ? validation.risk : ('high' as const),
    expiresAt: new Date(Date.now() + approvalTimeoutMs).toISOString(),
    receipts: (request.receipts ?? []).map((receipt) => decidedReceipt(position, receipt)),
    seenSeq: request.seq,
  }
  const result = await store.commit<ApprovalRequestAnswer>(key, {
    keys: approvalKeys(position),
    decide: (view) => decideRequest(view, offer),
  })
  if (result.kind === 'refused') return { kind: 'turn-closed' }
  const { answer, head: after } = result
  if (answer.kind !== 'waiting') return answer
  const expiresInMs = millisecondsUntil(answer.expiresAt)
  return { kind: 'waiting', seq: after.seq, expiresInMs, ...(await notifyCount(store, key, request.turnId)) }
}

/** At least one, so that a timer of this length is a timer. */
export function millisecondsUntil(time: string): number {
  return Math.max(1, Date.parse(time) - Date.now())
}
