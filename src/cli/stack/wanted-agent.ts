import { TurnstepError } from '../../core/errors.ts'
import { DEFAULT_TENANT } from '../../core/ids.ts'
import type { SessionStore } from '../../core/ports.ts'
import type { StackOptions } from './stack-options.ts'
import type { AnnouncedAgent } from './worker-seat.ts'

/** The agent that will answer, by who asks for it; the default one when nobody does. */
export interface WantedAgent {
  readonly name?: string
  /** The Session that belongs to it already. */
  readonly session?: string
}

/** What the Session belongs to, else what was asked for. Fails with `invalid-config` when they differ. */
export async function wantedAgent(store: SessionStore, options: StackOptions): Promise<WantedAgent> {
  const { session, agent } = options
  const record = session === undefined ? undefined : await store.session({ tenant: DEFAULT_TENANT, session })
  if (record?.agent === undefined || session === undefined) return agent === undefined ? {} : { name: agent }
  if (agent !== undefined && agent !== record.agent) throw belongsTo(session, record.agent, agent)
  return { name: record.agent, session }
}

/** Finds it among those that are there. Fails with `invalid-config`, saying which there are. */
export function findAgent(agents: readonly AnnouncedAgent[], { name, session }: WantedAgent): AnnouncedAgent {
  const [first] = agents
  const found = name === undefined ? first : agents.find((agent) => agent.name === name)
  if (found !== undefined) return found
  const whose = session === undefined ? '' : `, which session ${session} belongs to`
  const names = agents.map((agent) => agent.name).join(', ')
  throw new TurnstepError(
    'invalid-config',
    `There is no agent ${JSON.stringify(name)} here${whose}. There is: ${names}.`,
  )
}

/**
 * Makes sure that a Session belongs to the agent that was asked for. Fails with `invalid-config` when it belongs to
 * another one.
 */
export async function claimSession(
  store: SessionStore,
  agents: readonly AnnouncedAgent[],
  { session, agent }: Pick<StackOptions, 'session' | 'agent'>,
): Promise<void> {
  if (session === undefined || agent === undefined) return
  const record = await store.createSession({ key: { tenant: DEFAULT_TENANT, session }, agent })
  const present = record.agent ?? agents[0]?.name ?? ''
  if (present !== agent) throw belongsTo(session, present, agent)
}

function belongsTo(session: string, present: string, asked: string): TurnstepError {
  return new TurnstepError(
    'invalid-config',
    `Session ${session} belongs to agent ${present}. Use --session with another id for agent ${asked}.`,
  )
}
