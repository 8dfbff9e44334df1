/**
 * A worker in a process of its own, forked by `worker-process.ts` with its settings as JSON. It reports over IPC
 * when a tool starts, and ends when whoever forked it does.
 */
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { defineAgent } from '../../dist/define-agent.js'
import { openaiChat } from '../../dist/model/openai-chat.js'
import { openSqliteStore } from '../../dist/store/sqlite/open-sqlite-store.js'
import { defineTool, runProcess } from '../../dist/tools/index.js'
import { createWorker } from '../../dist/worker.js'

/** @type {import('./worker-process.ts').WorkerSettings} */
const settings = JSON.parse(process.argv[2] ?? '{}')

/** @param {import('./worker-process.ts').WorkerReport} report */
function tell(report) {
  process.send?.(report)
}

/** Holds a tool until the parent lets go of it, or it is told to stop. @param {string} name @param {AbortSignal} signal */
function released(name, signal) {
  return new Promise((resolve, reject) => {
    process.on('message', (message) => {
      if (message === `release ${name}`) resolve(undefined)
    })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const tools = settings.tools.map(({ name, effect, result, isHeld, script, isFailing }) =>
  defineTool({
    name,
    description: 'Answers as the test wants it.',
    effect,
    input: { type: 'object', additionalProperties: true },
    run: async (_args, { requestId, callId, signal }) => {
      tell({ kind: 'tool-started', tool: name, requestId, callId })
      if (isHeld) await released(name, signal)
      if (script !== undefined) await runProcess('sh', ['-c', script], { signal })
      if (isFailing) throw new Error(result)
      return result
    },
  }),
)
/**
 * Passes everything; one that is held waits until the parent lets go of it, or it is told to stop.
 *
 * @param {'input' | 'output'} stage
 */
const judgesOf = (stage) =>
  (settings.guardrails ?? [])
    .filter((guardrail) => guardrail.stage === stage)
    .map(({ name, isHeld }) => ({
      name,
      /** @param {unknown} judged @param {import('../../dist/core/guardrail.js').GuardrailContext} context */
      judge: async (judged, { signal }) => {
        tell({ kind: 'guardrail-started', guardrail: name, judged: String(judged) })
        if (isHeld) await released(name, signal)
        return /** @type {{ verdict: 'pass' }} */ ({ verdict: 'pass' })
      },
    }))
const agent = defineAgent({
  name: 'tester',
  instructions: 'Test.',
  model: openaiChat({ model: 'scripted-model', baseUrl: settings.modelUrl }),
  tools,
  ...(settings.limits === undefined ? {} : { limits: settings.limits }),
  guardrails: { input: judgesOf('input'), output: judgesOf('output') },
})
/**
 * Holds the answer of an activity whose work is done: what it committed is there, and Temporal never hears of it.
 *
 * @type {import('@temporalio/worker').ActivityInterceptorsFactory}
 */
function holdAnswer({ info }) {
  return {
    inbound: {
      async execute(input, next) {
        const answer = await next(input)
        if (info.activityType !== settings.silentActivity) return answer
        tell({ kind: 'silent', activity: info.activityType })
        return new Promise(() => {})
      },
    },
  }
}

const silent = () => {}
Runtime.install({
  logger: settings.isLoud
    ? new DefaultLogger('TRACE')
    : { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
})
const worker = await createWorker({
  connection: await NativeConnection.connect({ address: settings.address }),
  taskQueue: settings.taskQueue,
  store: await openSqliteStore({ path: settings.database }),
  agents: [agent],
  interceptors: { activity: [holdAnswer] },
  ...(settings.shutdownGraceMs === undefined ? {} : { shutdownGraceMs: settings.shutdownGraceMs }),
})
/** Takes nothing more, and tells when nothing more can come; what runs goes on for as long as the grace lasts. */
function drain() {
  worker.shutdown()
  const timer = setInterval(() => {
    if (worker.getStatus().workflowPollerState !== 'SHUTDOWN') return
    clearInterval(timer)
    tell({ kind: 'drained' })
  }, 20)
}
process.on('message', (message) => {
  if (message === 'drain') drain()
})
process.on('disconnect', () => process.exit(1))
tell({ kind: 'ready' })
await worker.run()
process.exit(0)
