import type { AgentRegistry } from '../core/agent.ts'
import type { SessionStore } from '../core/ports.ts'

/** What the activities of a Turn work with; the composition root hands it in. */
export interface ActivityPorts {
  readonly store: SessionStore
  readonly agents: AgentRegistry
}
