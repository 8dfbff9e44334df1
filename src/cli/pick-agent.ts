import { TurnstepError } from '../core/errors.ts'
import { DEFAULT_TENANT } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'

/**
 * Makes sure that a Session has the agent that `--agent` names. Fails with `invalid-config` for a name that
 * nobody has, and for a Session that has another agent already.
 */
export async function pickAgent(
  { store, agents }: { readonly store: SessionStore; readonly agents: readonly string[] },
  session: string,
  agent: string | undefined,
): Promise<void> {
  if (agent === undefined) return
  if (!agents.includes(agent)) {
    throw new TurnstepError(
      'invalid-config',
      `There is no agent ${JSON.stringify(agent)}. There is: ${agents.join(', ')}.`,
    )
  }
  const key = { tenant: DEFAULT_TENANT, session }
  const before = await store.session(key)
  const record = before ?? (await store.createSession({ key, agent }))
  const present = record.agent ?? agents[0]
  if (present === agent) return
  throw new TurnstepError(
    'invalid-config',
    `Session ${session} belongs to agent ${present}. Use --session with another id for agent ${agent}.`,
  )
}
