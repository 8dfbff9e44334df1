import type { Environment } from '../../config.ts'
import { loadConfig } from '../../config.ts'
import { type Agent, agentRegistry } from '../../core/agent.ts'
import { chooseModel } from '../choose-model.ts'
import { defaultAgent } from '../default-agent.ts'
import type { AnnouncedAgent } from './worker-seat.ts'

/** The agents of a folder, and how each is announced. */
export interface Crew {
  readonly agents: readonly Agent[]
  /** The same agents, in that order. */
  readonly announced: readonly AnnouncedAgent[]
  close(): Promise<void>
}

/** The agents of the folder's configuration file, else the default agent. Fails with `invalid-config`. */
export async function loadCrew({ openai }: Environment, folder: string): Promise<Crew> {
  const config = await loadConfig(folder)
  if (config !== undefined) {
    agentRegistry(config.agents)
    const announced = config.agents.map(({ snapshot: { name, model } }) => ({
      name,
      description: `Model: ${model}, of agent ${name} in turnstep.config`,
    }))
    return { agents: config.agents, announced, close: () => Promise.resolve() }
  }
  const { model, description, close } = await chooseModel(openai)
  try {
    const agent = defaultAgent(model, folder)
    return { agents: [agent], announced: [{ name: agent.snapshot.name, description }], close }
  } catch (error) {
    await close()
    throw error
  }
}
