/**
 * A turnstep worker as an application would start it: one agent with one tool.
 */
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { createWorker, defineAgent, defineTool, openaiChat, openSqliteStore } from 'turnstep'
import { answerParent, settings } from './answer-parent.mjs'
import { LOOKUP_DESCRIPTION, LOOKUP_PARAMETERS, lookup, streamLookup } from './lookup.mjs'
import { Strain } from './strain.mjs'

/** @typedef {{ address: string, taskQueue: string, databasePath: string, modelUrl: string }} Places */
/** @typedef {Places & { recover: boolean, streams?: 'redacted' | 'as-it-is' }} Settings */

const { address, taskQueue, databasePath, modelUrl, recover, streams } = /** @type {Settings} */ (settings())
const strain = new Strain()

Runtime.install({ logger: new DefaultLogger('ERROR') })

const agent = defineAgent({
  name: 'benchmark',
  instructions: 'Look up what you are asked for.',
  model: openaiChat({ model: 'scripted-model', baseUrl: modelUrl }),
  tools: [
    defineTool({
      name: 'lookup',
      description: LOOKUP_DESCRIPTION,
      effect: 'read',
      input: LOOKUP_PARAMETERS,
      timeoutMs: 600_000,
      result: streams === 'as-it-is' ? { redact: 'off' } : {},
      run: streams === undefined ? lookup : async (args) => streamLookup(args),
    }),
  ],
  limits: { maxSteps: 100_000, maxDurationMs: 3_600_000 },
})

const [connection, store] = await Promise.all([
  NativeConnection.connect({ address }),
  openSqliteStore({ path: databasePath }),
])
const worker = await createWorker({ connection, taskQueue, store, agents: [agent], recover })
const ended = worker.run()

answerParent(
  {
    beginStrain: () => strain.begin(),
    endStrain: () => strain.end(),
  },
  {
    async stop() {
      worker.shutdown()
      await ended
      await connection.close()
      await store.close()
    },
  },
)
