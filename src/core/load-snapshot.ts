import type { AgentSnapshot } from './agent.ts'
import { isTurnstepError } from './errors.ts'
import type { SessionStore } from './ports.ts'

/** The agent of a Turn as it was, by the digest in its `turn/start`; undefined when the store has none that can be read. */
export async function loadSnapshot(
  store: Pick<SessionStore, 'getContent'>,
  tenant: string,
  digest: string,
): Promise<AgentSnapshot | undefined> {
  try {
    const text = await store.getContent(tenant, digest)
    return text === undefined ? undefined : (JSON.parse(text) as AgentSnapshot)
  } catch (error) {
    if (isTurnstepError(error) && error.retryable) throw error
    return undefined
  }
}
