import { basename } from 'node:path'
import type { Environment } from '../../config.ts'
import { loadConfig } from '../../config.ts'
import { type Agent, agentRegistry } from '../../core/agent.ts'
import { chooseModel } from '../choose-model.ts'
import { defaultAgent } from '../default-agent.ts'

/** The agents of a folder, and one line on the model behind the default one. */
export interface Crew {
  readonly agents: readonly Agent[]
  readonly description: string
  close(): Promise<void>
}

/**
 * The agents of the folder's configuration file, else the default agent. Fails with `invalid-config`.
 */
export async function loadCrew(settings: Environment, folder: string): Promise<Crew> {
  const config = await loadConfig(folder)
  if (config !== undefined) {
    agentRegistry(config.agents)
    const [first] = config.agents
    const { model = '', name = '' } = first?.snapshot ?? {}
    const description = `Model: ${model}, of agent ${name} in the turnstep.config of ${basename(folder)}`
    return { agents: config.agents, description, close: () => Promise.resolve() }
  }
  const chosen = await chooseModel(settings.openai)
  try {
    return { agents: [defaultAgent(chosen.model, folder)], ...chosen, close: () => chosen.close() }
  } catch (error) {
    await chosen.close()
    throw error
  }
}
