import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { ensureReady } from '../../scripts/setup/ready.mjs'
import { startTemporalServer } from '../../src/cli/temporal-server.ts'
import { environment } from '../../src/config.ts'

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string
  }
}

/** Builds dist/ and starts the Temporal server of the whole suite, by the same route as `npm start` does. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureReady()
  const dataDir = await mkdtemp(join(tmpdir(), 'turnstep-test-'))
  const { temporal, cacheDir, searchPath } = environment()
  const server = await startTemporalServer({
    ...(temporal.address === undefined ? {} : { address: temporal.address }),
    namespace: temporal.namespace,
    dataDir,
    cacheDir,
    searchPath,
    log: (line) => console.error(line),
  })
  project.provide('temporalAddress', server.address)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
