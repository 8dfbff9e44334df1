/**
 * A worker of @temporalio/openai-agents: the same tool, the same provider, settings of the worker as ours.
 *
 * Its packages are installed on demand. They are loaded by `require`, so that the static gates of a checkout
 * without them pass.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { answerParent, settings } from '../processes/answer-parent.mjs'
import { lookup } from '../processes/lookup.mjs'

const load = createRequire(import.meta.url)
const { setTraceProcessors } = load('@openai/agents-core')
const { OpenAIProvider } = load('@openai/agents-openai')
const { OpenAIAgentsPlugin } = load('@temporalio/openai-agents')
const { DefaultLogger, NativeConnection, Runtime, Worker } = load('@temporalio/worker')
const { OpenAI } = load('openai')

/** @typedef {{ address: string, taskQueue: string, modelUrl: string }} Settings */

const { address, taskQueue, modelUrl } = /** @type {Settings} */ (settings())

// By default traces are printed, which costs time that no deployment pays.
setTraceProcessors([])
Runtime.install({ logger: new DefaultLogger('ERROR') })
const openAIClient = new OpenAI({ baseURL: modelUrl, apiKey: 'no-key', maxRetries: 0 })
const connection = await NativeConnection.connect({ address })
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./agent-workflow.cjs', import.meta.url)),
  activities: { lookup },
  plugins: [
    new OpenAIAgentsPlugin({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: false }) }),
  ],
  stickyQueueScheduleToStartTimeout: '1s',
  workflowTaskPollerBehavior: { type: 'autoscaling', initial: 2, maximum: 16 },
  activityTaskPollerBehavior: { type: 'autoscaling', initial: 2, maximum: 16 },
})
const ended = worker.run()

answerParent(
  {},
  {
    async stop() {
      worker.shutdown()
      await ended
      await connection.close()
    },
  },
)
