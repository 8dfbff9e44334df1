/**
 * Whether a call needs a human's approval before it runs.
 *
 * By its risk, by what the human has approved for the whole Session, and by whether anything from outside is in
 * the context: whoever wrote that may have asked for the call, so that a high risk then always asks.
 */
import type { RiskLevel } from './event.ts'
import type { SessionMemory } from './log-head.ts'

/** What an agent lets happen without a human. */
export interface AgentPolicy {
  /** The lowest risk that asks once something from outside is in the context. Default `high`. */
  readonly askAfterOutside: 'high' | 'medium'
  /** What a steer does to calls that wait for approval: they keep waiting, or are denied. Default `keep`. */
  readonly onSteerWhileWaiting: 'keep' | 'deny'
  /** How long a call waits for approval before it is denied, in milliseconds. Default a day. */
  readonly approvalTimeoutMs: number
}

export const DEFAULT_POLICY: AgentPolicy = {
  askAfterOutside: 'high',
  onSteerWhileWaiting: 'keep',
  approvalTimeoutMs: 24 * 60 * 60_000,
}

export function needsApproval(
  call: { readonly tool: string; readonly risk: RiskLevel },
  by: { readonly policy: AgentPolicy; readonly memory: SessionMemory | undefined },
): boolean {
  const hasOutside = by.memory?.hasOutside === true
  switch (call.risk) {
    case 'low':
      return false
    case 'medium':
      return hasOutside && by.policy.askAfterOutside === 'medium'
    case 'high':
      return hasOutside || by.memory?.approvedTools?.includes(call.tool) !== true
  }
}
