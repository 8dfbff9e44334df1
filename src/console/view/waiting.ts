import type { ClientCall, PendingApproval, SessionStatus } from '../api/answers.ts'
import type { TurnLog } from './session-log.ts'

/**
 * What waits for a human or a client, by the last status. What the log has seen decided, answered or closed since does not wait
 * any more.
 */
export function waitingOf(
  status: SessionStatus | undefined,
  turn: TurnLog | undefined,
): { readonly approvals: readonly PendingApproval[]; readonly clientCalls: readonly ClientCall[] } {
  const events = turn?.events ?? []
  if (status === undefined || events.some(({ type }) => type === 'turn/end'))
    return { approvals: [], clientCalls: [] }
  const decided = new Set<string>()
  const answered = new Set<string>()
  const judged = new Set<number>()
  for (const event of events) {
    if (event.type === 'approval/decided') decided.add(event.callId)
    else if (event.type === 'tool/result') answered.add(event.callId)
    else if (event.type === 'guardrail/judged' && event.step !== undefined) judged.add(event.step)
  }
  return {
    approvals: (status.approvals ?? []).filter(
      ({ callId, kind, step }) =>
        !decided.has(callId) && !answered.has(callId) && !(kind === 'text' && judged.has(step)),
    ),
    clientCalls: (status.clientCalls ?? []).filter(({ callId }) => !answered.has(callId)),
  }
}
