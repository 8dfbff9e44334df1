/**
 * Asking a human: the request is written to the log, where whoever may decide finds it.
 */
import { DEFAULT_POLICY } from '../core/authorize-call.ts'
import type { ApprovalRequestAnswer } from '../core/decide-approval.ts'
import { approvalKeys, decideRequest } from '../core/decide-approval.ts'
import { decidedReceipt } from '../core/decide-step.ts'
import type { CallPreview } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { sessionOfActivity } from './attempt.ts'
import type { RequestApprovalAnswer, RequestApprovalRequest } from './contracts.ts'
import { digestOf } from './digest.ts'
import type { FoundCall } from './find-call.ts'
import { findCall } from './find-call.ts'
import { notifyCount } from './notify.ts'
import type { BoundPorts } from './ports.ts'
import { runWithin } from './run-within.ts'

/** How long a tool may take to say what a call would change. */
const PREVIEW_MS = 5_000

export async function requestApproval(
  ports: BoundPorts,
  request: RequestApprovalRequest,
  signal: AbortSignal,
): Promise<RequestApprovalAnswer> {
  const { store, snapshots } = ports
  const key = sessionOfActivity()
  const found = await findCall(ports, key, request)
  if (found === undefined) return { kind: 'log-behind' }
  const { call, position, validation, head } = found
  const snapshot = await snapshots.load(key.tenant, head.open?.agentDigest ?? '')
  const { approvalTimeoutMs } = snapshot?.policy ?? DEFAULT_POLICY
  const preview = await previewOf(found, { key, turnId: request.turnId, signal })
  const offer = {
    ...position,
    tool: call.tool,
    arguments: call.arguments,
    argumentsDigest: digestOf(call.arguments),
    // What cannot be judged any more waits as what it was when the message was judged: at least it asks.
    risk: validation?.kind === 'valid' ? validation.risk : ('high' as const),
    expiresAt: new Date(Date.now() + approvalTimeoutMs).toISOString(),
    ...(preview === undefined ? {} : { preview }),
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

/** Redacted as the tool's results are. What cannot be shown is not; the arguments are there anyway. */
async function previewOf(
  found: FoundCall,
  {
    key,
    turnId,
    signal,
  }: { readonly key: SessionKey; readonly turnId: string; readonly signal: AbortSignal },
): Promise<CallPreview | undefined> {
  const { host, validation, redactor } = found
  if (validation?.kind !== 'valid' || host?.preview === undefined) return undefined
  try {
    const ended = await runWithin(PREVIEW_MS, signal, async (stopped) =>
      host.preview?.(found.call.tool, validation.args, { signal: stopped, session: key, turnId }),
    )
    if (ended.kind !== 'returned' || ended.value === undefined) return undefined
    const { kind, path, diff } = ended.value
    return { kind, path: redactor.redactText(path), diff: redactor.redactText(diff) }
  } catch {
    return undefined
  }
}

/** At least one, so that a timer of this length is a timer. */
export function millisecondsUntil(time: string): number {
  return Math.max(1, Date.parse(time) - Date.now())
}
