/**
 * The worker: runs the Turns of a task queue. Composition root of workflows, activities and their ports.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client, WorkflowNotFoundError } from '@temporalio/client'
import type { NativeConnection, WorkerInterceptors, WorkflowBundleOption } from '@temporalio/worker'
import { Worker } from '@temporalio/worker'
import { createActivities } from './activities/index.ts'
import { isCancelRequested } from './client/is-cancel-requested.ts'
import { recoverLostActivities } from './client/recover-lost-activities.ts'
import { resendWakes } from './client/resend-wakes.ts'
import { ownIdentity } from './client/worker-identity.ts'
import { environment } from './config.ts'
import type { Agent } from './core/agent.ts'
import { agentRegistry } from './core/agent.ts'
import { TurnstepError } from './core/errors.ts'
import type { Notifier, SessionStore } from './core/ports.ts'
import { checkWebhooks, sendWebhook, type WebhookOptions } from './tools/index.ts'

export interface WorkerOptions {
  readonly connection: NativeConnection
  /** Default: `TEMPORAL_NAMESPACE`, else `default`. */
  readonly namespace?: string
  /** Default: `TURNSTEP_TASK_QUEUE`, else `turnstep`, as `connect` has it. */
  readonly taskQueue?: string
  readonly store: SessionStore
  /** The first is the default agent. */
  readonly agents: readonly Agent[]
  /**
   * How often at most a heartbeat is sent, and so how soon an abort arrives from a server without push.
   * Milliseconds, default 500. Each is a write on the server.
   */
  readonly heartbeatIntervalMs?: number
  /**
   * How long what is under way may take to finish once the worker shuts down; then it is stopped, and tried again
   * elsewhere. Milliseconds, default 2,000.
   */
  readonly shutdownGraceMs?: number
  /** How long a spilled output is kept after it was last returned. Milliseconds, default 30 days. */
  readonly spillRetentionMs?: number
  /** Whether to take over at once what a dead process of this host was doing. Default true. */
  readonly recover?: boolean
  /** What this worker takes: Turns' decisions, their effects, or both, the default. */
  readonly takes?: 'both' | 'workflows' | 'activities'
  /** A bundle with workflows of your own beside ours. Default: the one in the package. */
  readonly workflowBundle?: WorkflowBundleOption
  /** Temporal's interceptors, around the activities say. */
  readonly interceptors?: WorkerInterceptors
  /** How webhooks of `notify` are sent. Default: the environment's `TURNSTEP_WEBHOOK_SECRET` and `TURNSTEP_WEBHOOK_ALLOW_PRIVATE`. */
  readonly webhooks?: WebhookOptions
}

/** Built with the package, so that a worker starts without bundling. */
const BUNDLE = fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url))
const PAYLOAD_CONVERTER = fileURLToPath(new URL('../dist/workflows/payload-converter.js', import.meta.url))

/** How soon a decision takes effect whose wake was lost. */
const WAKE_INTERVAL_MS = 5_000

const ENDED: ReadonlySet<string> = new Set(['STOPPED', 'FAILED'])

const HOUR_MS = 60 * 60_000
const COLLECT_INTERVAL_MS = HOUR_MS
const DEFAULT_SPILL_RETENTION_MS = 30 * 24 * HOUR_MS

/** What is stopped may take so long to say so. */
const STOPPING_MS = 13_000

/**
 * Creates a worker; `run()` it, and `shutdown()` it to let go.
 *
 * Fails with `invalid-config` when an agent is not usable, or the package was not built.
 */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { connection, store } = options
  const namespace = options.namespace ?? environment().temporal.namespace
  const taskQueue = options.taskQueue ?? environment().taskQueue
  const { takes = 'both', workflowBundle = { codePath: BUNDLE } } = options
  const { heartbeatIntervalMs = 500, shutdownGraceMs = 2_000 } = options
  const { spillRetentionMs = DEFAULT_SPILL_RETENTION_MS } = options
  if (!existsSync(BUNDLE)) {
    throw new TurnstepError(
      'invalid-config',
      `The workflow bundle ${BUNDLE} is missing: run "npm run build".`,
    )
  }
  const webhooks = options.webhooks ?? environment().webhooks
  checkWebhooks(webhooks)
  const identity = ownIdentity()
  const client = new Client({ connection, namespace, identity })
  const activities = createActivities({
    store,
    agents: agentRegistry(options.agents),
    notifier: createNotifier(client, webhooks),
    isCancelRequested: (taskToken) => isCancelRequested(client, taskToken),
  })
  if (options.recover !== false) await recoverLostActivities(client, store, taskQueue)
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    identity,
    ...(takes === 'workflows' ? {} : { activities: { ...activities } }),
    ...(takes === 'activities' ? {} : { workflowBundle }),
    ...(options.interceptors === undefined ? {} : { interceptors: options.interceptors }),
    dataConverter: { payloadConverterPath: PAYLOAD_CONVERTER },
    maxHeartbeatThrottleInterval: heartbeatIntervalMs,
    defaultHeartbeatThrottleInterval: heartbeatIntervalMs,
    // A dead worker's sticky queue is given up after this; the task then goes to any worker.
    stickyQueueScheduleToStartTimeout: '1s',
    shutdownGraceTime: shutdownGraceMs,
    shutdownForceTime: shutdownGraceMs + STOPPING_MS,
    // A frontend limits pollers per namespace, so they grow only with load.
    workflowTaskPollerBehavior: { type: 'autoscaling', initial: 2, maximum: 16 },
    activityTaskPollerBehavior: { type: 'autoscaling', initial: 2, maximum: 16 },
  })
  whileItRuns(worker, WAKE_INTERVAL_MS, () => resendWakes(client, store))
  if (takes !== 'workflows') {
    const collect = () => store.collectSpills({ keptBefore: new Date(Date.now() - spillRetentionMs) })
    // What hinders it now is tried again with the next.
    void collect().catch(() => undefined)
    whileItRuns(worker, COLLECT_INTERVAL_MS, collect)
  }
  return worker
}

function createNotifier(client: Client, webhooks: WebhookOptions): Notifier {
  return {
    webhook: (url, message) => sendWebhook(url, message, webhooks),
    signal: async (workflowId, signal, payload) => {
      try {
        await client.workflow.getHandle(workflowId).signal(signal, payload)
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      }
    },
  }
}

/** Repeats some housekeeping until the worker has stopped. What fails is tried again the next time. */
function whileItRuns(worker: Worker, intervalMs: number, work: () => Promise<unknown>): void {
  let isBusy = false
  const timer = setInterval(() => {
    if (ENDED.has(worker.getState())) return clearInterval(timer)
    if (isBusy || worker.getState() !== 'RUNNING') return
    isBusy = true
    void work()
      .catch(() => undefined)
      .finally(() => {
        isBusy = false
      })
  }, intervalMs)
  timer.unref()
}
