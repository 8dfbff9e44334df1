import type { Agent, AgentDefinition } from './core/agent.ts'
import { createAgent } from './core/agent.ts'
import { createToolHost, spillTools, type Tool } from './tools/index.ts'

/** What an agent is made of. */
export interface AgentOptions extends Omit<AgentDefinition, 'tools'> {
  /**
   * In the order in which the model is told of them. `grep_spill` and `read_spill` come behind them by themselves,
   * unless tools of these names are among them.
   */
  readonly tools?: readonly Tool[]
}

/** Defines an agent. Fails with `invalid-config`, naming the agent and the field. */
export function defineAgent(options: AgentOptions): Agent {
  const { tools, ...definition } = options
  return createAgent(
    tools === undefined ? definition : { ...definition, tools: createToolHost(withSpillTools(tools)) },
  )
}

/** Whatever returns much needs a way to read it. */
function withSpillTools(tools: readonly Tool[]): readonly Tool[] {
  if (tools.length === 0) return tools
  const names = new Set(tools.map((tool) => tool?.name))
  return [...tools, ...spillTools.filter(({ name }) => !names.has(name))]
}
