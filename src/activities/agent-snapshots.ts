import type { Agent, AgentSnapshot } from '../core/agent.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import type { SessionStore } from '../core/ports.ts'
import { digestOf } from './digest.ts'

/**
 * Agents as they were when their Turn opened, kept in the store by digest, remembered per process.
 *
 * A Turn goes on with the instructions and tool descriptions it started with, also on a worker whose code
 * has changed since.
 */
export class AgentSnapshots {
  readonly #store: SessionStore
  readonly #digests = new WeakMap<Agent, string>()
  readonly #kept = new Set<string>()
  readonly #loaded = new Map<string, AgentSnapshot>()

  constructor(store: SessionStore) {
    this.#store = store
  }

  /** Keeps the agent's snapshot for a tenant, once, and returns its digest. */
  async keep(tenant: string, agent: Agent): Promise<string> {
    const known = this.#digests.get(agent)
    if (known !== undefined && this.#kept.has(`${tenant} ${known}`)) return known
    const text = canonicalJson(agent.snapshot)
    const digest = known ?? digestOf(text)
    await this.#store.putContent(tenant, text)
    this.#digests.set(agent, digest)
    this.#kept.add(`${tenant} ${digest}`)
    this.#loaded.set(`${tenant} ${digest}`, agent.snapshot)
    return digest
  }

  /** The snapshot under a digest, or undefined when the store does not have it. */
  async load(tenant: string, digest: string): Promise<AgentSnapshot | undefined> {
    const name = `${tenant} ${digest}`
    const known = this.#loaded.get(name)
    if (known !== undefined || digest === '') return known
    const text = await this.#store.getContent(tenant, digest)
    if (text === undefined) return undefined
    const snapshot = JSON.parse(text) as AgentSnapshot
    this.#loaded.set(name, snapshot)
    return snapshot
  }
}
