/**
 * The dev server of a data folder: one at most, on a database file there, shared by all of our processes that use
 * the folder, recorded in `server.json`.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TurnstepError } from '../core/errors.ts'
import { commandLine, isRunning } from './process-info.ts'
import { holdLifeline, type Lifeline, startOnLifeline } from './server-lifeline.ts'
import { findFreePort, isFrontendReady } from './temporal-frontend.ts'
import { waitUntil } from './wait-until.ts'

const READY_TIMEOUT_MS = 30_000
const JOIN_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 15_000
const KILL_TIMEOUT_MS = 5_000

/** Arguments of `server start-dev`. Its own defaults make a Step four times as slow, and an abort wait for a heartbeat. */
export const SERVER_SETTINGS: readonly string[] = [
  ['--sqlite-pragma', 'journal_mode=wal'],
  ['--sqlite-pragma', 'synchronous=1'],
  ['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
  ['--dynamic-config-value', 'system.enableCancelActivityWorkerCommand=true'],
  ['--dynamic-config-value', 'frontend.WorkerCommandsEnabled=true'],
  // A Turn that was short would make the next one wait for up to a second.
  ['--dynamic-config-value', 'history.workflowIdReuseMinimalInterval="10ms"'],
].flat()

/** A dev server that we hold. */
export interface LocalTemporal {
  readonly address: string
  /** Of Temporal's own web page. */
  readonly uiUrl?: string
  readonly pid: number
  /** Lets go; when nobody else holds the server, waits for its end. */
  release(): Promise<void>
}

export interface LocalTemporalOptions {
  readonly folder: string
  readonly binary: string
  readonly namespace: string
  readonly port?: number
}

interface ServerRecord {
  readonly pid: number
  readonly address: string
  readonly uiUrl?: string
}

/** Where a data folder's server keeps its files. */
function filesOf(folder: string) {
  return {
    database: join(folder, 'temporal.db'),
    record: join(folder, 'server.json'),
    pid: join(folder, 'server.pid'),
    lifeline: join(folder, 'lifeline'),
    log: join(folder, 'server.log'),
  }
}

/**
 * Takes hold of the server that runs for this folder, if one does. One that is left over without anybody watching it
 * is ended. Fails with `temporal-unavailable` when the server runs and does not answer.
 */
export async function joinRunningTemporal(
  folder: string,
  namespace: string,
): Promise<LocalTemporal | undefined> {
  const files = filesOf(folder)
  const record = await readRecord(files.record)
  if (record === undefined || !(await isOurs(record.pid, files.database))) return undefined
  const lifeline = holdLifeline(files.lifeline)
  if (lifeline === undefined) {
    await end(record.pid)
    return undefined
  }
  if (!(await waitUntil(() => isFrontendReady(record.address, namespace), JOIN_TIMEOUT_MS))) {
    lifeline.release()
    throw new TurnstepError(
      'temporal-unavailable',
      `The Temporal server of this folder (process ${record.pid}) does not answer on ${record.address} for namespace ${namespace}. Look into ${files.log}, or end it with: kill ${record.pid}`,
    )
  }
  return held(record, lifeline)
}

/** Starts the folder's server and waits until it answers. Fails with `temporal-unavailable`. */
export async function startLocalTemporal(options: LocalTemporalOptions): Promise<LocalTemporal> {
  const files = filesOf(options.folder)
  await mkdir(options.folder, { recursive: true })
  await keepOneOldLog(files.log)
  const port = options.port ?? (await findFreePort())
  const address = `127.0.0.1:${port}`
  const uiPort = await findFreePort()
  const lifeline = await startOnLifeline({
    lifelinePath: files.lifeline,
    pidPath: files.pid,
    logPath: files.log,
    command: [
      ...[options.binary, 'server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...[
        '--ui-port',
        String(uiPort),
        '--ui-disable-news-fetch',
        '--db-filename',
        files.database,
        '--namespace',
        options.namespace,
        '--log-level',
        'warn',
        ...SERVER_SETTINGS,
      ],
    ],
  })
  let pid: number | undefined
  const isReady = await waitUntil(async () => {
    pid ??= await readPid(files.pid)
    if (pid === undefined) return false
    return !isRunning(pid) || (await isFrontendReady(address, options.namespace))
  }, READY_TIMEOUT_MS)
  if (!isReady || pid === undefined || !isRunning(pid)) {
    lifeline.release()
    const why = isReady ? 'ended at once' : `did not answer within ${READY_TIMEOUT_MS / 1_000} seconds`
    throw new TurnstepError(
      'temporal-unavailable',
      `The Temporal server ${why}: ${await lastLine(files.log)} (all of it: ${files.log})`,
    )
  }
  const record = { pid, address, uiUrl: `http://127.0.0.1:${uiPort}` }
  await writeRecord(files.record, record)
  return held(record, lifeline)
}

function held({ pid, address, uiUrl }: ServerRecord, lifeline: Lifeline): LocalTemporal {
  let released: Promise<void> | undefined
  const release = async () => {
    if (lifeline.release().isHeldByOthers) return
    if (!(await waitUntil(() => !isRunning(pid), STOP_TIMEOUT_MS))) await end(pid)
  }
  const ui = uiUrl === undefined ? {} : { uiUrl }
  return { address, ...ui, pid, release: () => (released ??= release()) }
}

/** Whether the process is a dev server on this very database, and not a stranger that got an old process id. */
async function isOurs(pid: number, database: string): Promise<boolean> {
  if (!isRunning(pid)) return false
  const command = await commandLine(pid)
  return command.includes(' server start-dev ') && command.includes(` --db-filename ${database} `)
}

async function end(pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGTERM', STOP_TIMEOUT_MS],
    ['SIGKILL', KILL_TIMEOUT_MS],
  ] as const) {
    if (!isRunning(pid)) return
    process.kill(pid, signal)
    if (await waitUntil(() => !isRunning(pid), timeoutMs)) return
  }
  throw new TurnstepError('temporal-unavailable', `The Temporal server, process ${pid}, cannot be ended.`)
}

async function readRecord(path: string): Promise<ServerRecord | undefined> {
  const record: unknown = JSON.parse((await readIfThere(path)) || 'null')
  if (typeof record !== 'object' || record === null) return undefined
  if (!('pid' in record && 'address' in record)) return undefined
  const { pid, address } = record
  if (typeof pid !== 'number' || typeof address !== 'string') return undefined
  return 'uiUrl' in record && typeof record.uiUrl === 'string'
    ? { pid, address, uiUrl: record.uiUrl }
    : { pid, address }
}

async function writeRecord(path: string, record: ServerRecord): Promise<void> {
  await writeFile(`${path}.next`, `${JSON.stringify(record)}\n`)
  await rename(`${path}.next`, path)
}

async function readPid(path: string): Promise<number | undefined> {
  const pid = Number(await readIfThere(path))
  return pid > 0 ? pid : undefined
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}

async function keepOneOldLog(path: string): Promise<void> {
  try {
    await rename(path, `${path}.1`)
  } catch {
    await rm(path, { force: true })
  }
}

async function lastLine(path: string): Promise<string> {
  return (await readIfThere(path)).trimEnd().split('\n').at(-1) || 'it logged nothing'
}
