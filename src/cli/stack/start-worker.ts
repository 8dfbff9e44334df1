import type { Logger, LogLevel } from '@temporalio/common'
import { NativeConnection, type NativeConnectionOptions, Runtime, type Worker } from '@temporalio/worker'
import { redactForLog } from '../../activities/redact-for-log.ts'
import type { Environment, TemporalSettings } from '../../config.ts'
import type { Agent } from '../../core/agent.ts'
import { isTurnstepError, TurnstepError } from '../../core/errors.ts'
import type { SessionStore } from '../../core/ports.ts'
import { createWorker } from '../../worker.ts'
import { announceWaits } from './announce-waits.ts'

/** A worker that polls. */
export interface RunningWorker {
  /** Settles when it has ended; rejects when it ended by a failure of its own. */
  readonly ended: Promise<void>
  /** Takes nothing more, lets what it has finish within its grace, and ends. Idempotent. */
  stop(): Promise<void>
}

export interface StartWorkerOptions {
  readonly settings: Environment
  readonly address: string
  readonly store: SessionStore
  readonly agents: readonly Agent[]
  /** How long what is under way may take to finish once it is to stop. */
  readonly graceMs: number
  /** Whose long waits are announced, and to whom. */
  readonly session: string | undefined
  readonly note: (line: string) => void
  /** Gets what Temporal's SDK has to say. */
  readonly log: (line: string) => void
}

let isInstalled = false

/** Starts a worker in this process. Fails with `temporal-unavailable` or `invalid-config`. */
export async function startWorker(options: StartWorkerOptions): Promise<RunningWorker> {
  const { settings, address, log } = options
  if (!isInstalled) {
    installRuntime(log)
    isInstalled = true
  }
  const { namespace, connection: access } = settings.temporal
  let connection: NativeConnection | undefined
  let worker: Worker
  try {
    connection = await NativeConnection.connect(nativeOptions(access, address))
    worker = await createWorker({
      connection,
      namespace,
      taskQueue: settings.taskQueue,
      store: options.store,
      agents: options.agents,
      shutdownGraceMs: options.graceMs,
      interceptors: announceWaits(options.session, options.note),
    })
  } catch (error) {
    await connection?.close()
    throw explain(error, address, namespace)
  }
  const opened = connection
  const ended = worker.run().finally(() => opened.close())
  ended.catch(() => undefined)
  return {
    ended,
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown()
      await ended.catch(() => undefined)
    },
  }
}

/** Access as the worker's own connection takes it. */
function nativeOptions(access: TemporalSettings['connection'], address: string): NativeConnectionOptions {
  const { apiKey, tls, metadata } = access
  return {
    address,
    ...(apiKey === undefined ? {} : { apiKey: typeof apiKey === 'function' ? apiKey() : apiKey }),
    ...(tls === undefined || tls === null ? {} : { tls }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/** Before anything else of the SDK's: its logs go where ours go, and signals are ours to treat. */
function installRuntime(log: (line: string) => void): void {
  Runtime.install({
    shutdownSignals: [],
    logger: lineLogger(log),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  })
}

/** Warnings and errors as lines, redacted. */
function lineLogger(log: (line: string) => void): Logger {
  const write = (level: LogLevel, message: string, meta?: Record<string | symbol, unknown>): void => {
    if (level !== 'WARN' && level !== 'ERROR') return
    const details = meta === undefined || Object.keys(meta).length === 0 ? '' : ` ${stringify(meta)}`
    log(redactForLog(`${new Date().toISOString()} ${level} ${message}${details}`))
  }
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  }
}

function stringify(meta: object): string {
  return JSON.stringify(meta, (_, value: unknown) =>
    value instanceof Error
      ? (value.stack ?? value.message)
      : typeof value === 'bigint'
        ? String(value)
        : value,
  )
}

function explain(error: unknown, address: string, namespace: string): unknown {
  if (isTurnstepError(error)) return error
  const why = error instanceof Error ? error.message : String(error)
  return new TurnstepError(
    'temporal-unavailable',
    `No worker can be started for namespace ${namespace} of the Temporal server at ${address}: ${why}`,
    { cause: error },
  )
}
