import type { AgentRegistry } from '../core/agent.ts'
import type { Notifier, SessionStore } from '../core/ports.ts'
import type { AgentSnapshots } from './agent-snapshots.ts'
import type { SessionMessages } from './session-messages.ts'
import type { SessionRedactors } from './session-redactors.ts'
import type { TurnBudgets } from './turn-budgets.ts'

/** What the activities of a Turn work with; the composition root hands it in. */
export interface ActivityPorts {
  readonly store: SessionStore
  readonly agents: AgentRegistry
  /** Reaches those who asked to be told of a Turn. Absent: they are not. */
  readonly notifier?: Notifier
  /** Whether the server holds a cancellation for the activity with this task token. Default: it does. */
  readonly isCancelRequested?: (taskToken: Uint8Array) => Promise<boolean>
}

/** The ports, with what is remembered per process. */
export interface BoundPorts extends ActivityPorts {
  readonly snapshots: AgentSnapshots
  readonly messages: SessionMessages
  readonly budgets: TurnBudgets
  readonly redactors: SessionRedactors
}
