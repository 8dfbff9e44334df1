/**
 * The Temporal servers of a benchmark: the one that turnstep starts, as it is shipped, and one without push.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findTemporalBinary } from '../../src/cli/temporal-binary.ts'
import { findFreePort, isFrontendReady } from '../../src/cli/temporal-frontend.ts'
import { startTemporalServer } from '../../src/cli/temporal-server.ts'
import { waitUntil } from '../../src/cli/wait-until.ts'
import { environment } from '../../src/config.ts'
import type { Usage } from './child.ts'
import { usageOf } from './server-usage.ts'

export interface Server {
  readonly address: string
  /** Undefined where processes cannot be looked at. */
  usage(): Usage | undefined
  stop(): Promise<void>
}

const NAMESPACE = 'default'

/** The server as `turnstep start` runs it, whatever `TEMPORAL_ADDRESS` says. */
export async function startShippedServer(folder: string, log: (line: string) => void): Promise<Server> {
  const { cacheDir, searchPath } = environment()
  const server = await startTemporalServer({
    namespace: NAMESPACE,
    dataDir: folder,
    cacheDir,
    searchPath,
    log,
  })
  const record: unknown = JSON.parse(await readFile(join(folder, 'temporal', 'server.json'), 'utf8'))
  const { pid } = record as { readonly pid: number }
  return { address: server.address, usage: () => usageOf(pid), stop: () => server.stop() }
}

/** The same but for the settings that push cancellations to workers: what an abort meets on other servers. */
export async function startServerWithoutPush(folder: string): Promise<Server> {
  const { cacheDir, searchPath } = environment()
  const binary = await findTemporalBinary({ cacheDir, searchPath, log: () => undefined })
  const port = await findFreePort()
  const address = `127.0.0.1:${port}`
  const child = spawn(
    binary.path,
    [
      ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)],
      ...['--namespace', NAMESPACE, '--log-level', 'error'],
      ...['--db-filename', join(folder, 'without-push.db')],
      ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=1'],
      ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
    ],
    { stdio: 'ignore' },
  )
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill()
    await exited
  }
  if (!(await waitUntil(() => isFrontendReady(address, NAMESPACE), 30_000))) {
    await stop()
    throw new Error('The Temporal server without push did not answer within 30 seconds.')
  }
  return { address, usage: () => (child.pid === undefined ? undefined : usageOf(child.pid)), stop }
}
