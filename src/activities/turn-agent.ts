import type { Agent, AgentSnapshot } from '../core/agent.ts'
import type { SessionKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import { patiently } from './commit-result.ts'
import type { BoundPorts } from './ports.ts'

/** The agent of the open Turn, with its snapshot of the day the Turn opened; undefined when this worker has not both. */
export async function agentOfTurn(
  ports: BoundPorts,
  key: SessionKey,
  head: LogHead,
): Promise<{ readonly agent: Agent; readonly snapshot: AgentSnapshot } | undefined> {
  const agent = ports.agents.get(head.open?.agent)
  const digest = head.open?.agentDigest ?? ''
  const snapshot = await patiently(() => ports.snapshots.load(key.tenant, digest))
  return agent === undefined || snapshot === undefined ? undefined : { agent, snapshot }
}
