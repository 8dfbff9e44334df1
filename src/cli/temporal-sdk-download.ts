/**
 * The Temporal dev server by the SDK's own download, the last route.
 */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runCommand } from './run-command.ts'
import type { InstallOutcome } from './temporal-wheel.ts'

/**
 * In a process of its own: the SDK cannot download without starting the server, and its runtime, of which a process
 * has one, would then be set up already. Arguments: module, folder.
 */
const DOWNLOAD = `
const { TestWorkflowEnvironment } = require(process.argv[1])
const executable = { type: 'cached-download', downloadDir: process.argv[2] }
TestWorkflowEnvironment.createLocal({ server: { executable } })
  .then((server) => server.teardown())
  .catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
`

/** Lets the SDK start a dev server out of its download, and puts the binary at `target`, atomically. */
export async function installBySdk(target: string): Promise<InstallOutcome> {
  await mkdir(dirname(target), { recursive: true })
  const folder = await mkdtemp(`${target}-`)
  try {
    const sdk = createRequire(import.meta.url).resolve('@temporalio/testing')
    const { code, lastLine } = await runCommand(process.execPath, ['-e', DOWNLOAD, sdk, folder])
    const [downloaded] = await readdir(folder)
    if (code !== 0 || downloaded === undefined) return { kind: 'failed', problem: lastLine }
    await rename(join(folder, downloaded), target)
    return { kind: 'installed' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
