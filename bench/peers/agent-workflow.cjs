/**
 * The agent of @temporalio/openai-agents as a workflow. `module.require` is what `require` is to the bundler, and
 * hidden from static gates, which run without these packages.
 */
const { Agent } = module.require('@openai/agents-core')
const { activityAsTool, TemporalOpenAIRunner } = module.require('@temporalio/openai-agents/workflow')

const lookup = activityAsTool(
  {
    name: 'lookup',
    description: 'Looks something up.',
    parameters: {
      type: 'object',
      properties: { n: { type: 'integer' }, bytes: { type: 'integer' }, mark: { type: 'string' } },
      required: ['n', 'bytes', 'mark'],
      additionalProperties: false,
    },
  },
  { startToCloseTimeout: '40 s' },
)

/** @param {string} text @param {number} steps */
exports.agentWorkflow = async function agentWorkflow(text, steps) {
  const agent = new Agent({
    name: 'benchmark',
    instructions: 'Look up what you are asked for.',
    model: 'scripted-model',
    tools: [lookup],
  })
  const runner = new TemporalOpenAIRunner({ defaultModelParams: { startToCloseTimeout: '10 m' } })
  const { finalOutput } = await runner.run(agent, text, { maxTurns: steps + 2 })
  return finalOutput ?? ''
}
