import type { Agent, AgentDefinition } from './core/agent.ts'
import { createAgent } from './core/agent.ts'
import { createToolHost, type Tool } from './tools/index.ts'

/** What an agent is made of. */
export interface AgentOptions extends Omit<AgentDefinition, 'tools'> {
  /** In the order in which the model is told of them. */
  readonly tools?: readonly Tool[]
}

/** Defines an agent. Fails with `invalid-config`, naming the agent and the field. */
export function defineAgent(options: AgentOptions): Agent {
  const { tools, ...definition } = options
  return createAgent(tools === undefined ? definition : { ...definition, tools: createToolHost(tools) })
}
