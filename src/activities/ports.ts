import type { AgentRegistry } from '../core/agent.ts'
import type { SessionStore } from '../core/ports.ts'

/** What the activities of a Turn work with; the composition root hands it in. */
export interface ActivityPorts {
  readonly store: SessionStore
  readonly agents: AgentRegistry
  /** Whether the server holds a cancellation for the activity with this task token. Default: it does. */
  readonly isCancelRequested?: (taskToken: Uint8Array) => Promise<boolean>
}
