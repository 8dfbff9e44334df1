/**
 * Checks of the machine: Node.js, what was installed and built, disk space.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../config.ts'
import { type Check, note, ok, wrong } from './check.ts'

const MIB = 1024 * 1024
const TOO_LITTLE = 100 * MIB
const LITTLE = 1024 * MIB

export const checkNode: Check = {
  name: 'Node.js',
  run: async () => {
    const { node } = process.versions
    const [major = 0, minor = 0] = node.split('.').map(Number)
    const isNew = major > 20 || (major === 20 && minor >= 19)
    return isNew
      ? ok(node)
      : wrong(`${node} is too old`, 'Install Node.js 20.19 or newer, a current LTS say.')
  },
}

/** The two dependencies with native code, which break when Node.js changes, and the workflow bundle. */
export const checkDependencies: Check = {
  name: 'Dependencies',
  run: async () => {
    const bundle = fileURLToPath(new URL('../../../dist/workflow-bundle.js', import.meta.url))
    try {
      const { default: Database } = await import('better-sqlite3')
      new Database(':memory:').close()
      await import('@temporalio/worker')
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      return wrong(`a native module does not load: ${why}`, 'Delete node_modules and install again.')
    }
    return existsSync(bundle)
      ? ok('installed and built')
      : wrong('the workflow bundle is missing', 'Run: npm run build')
  },
}

/** Whether the data folder, or the folder it will be made in, can be written, and how much space is left. */
export function checkDisk({ dataDir }: Environment): Check {
  return {
    name: 'Data folder',
    run: async () => {
      const folder = nearestFolder(dataDir)
      try {
        await rm(await mkdtemp(join(folder, '.turnstep-doctor-')), { recursive: true })
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
        return wrong(
          `${folder} cannot be written (${code})`,
          'Make it writable, or set TURNSTEP_DATA to another folder.',
        )
      }
      const { bavail, bsize } = await statfs(folder)
      const freeMib = Math.floor((bavail * bsize) / MIB)
      const said = `${dataDir}, ${freeMib} MiB free`
      if (freeMib * MIB < TOO_LITTLE)
        return wrong(said, 'Free some space, or set TURNSTEP_DATA to another disk.')
      return freeMib * MIB < LITTLE ? note(`${said}, which is little`) : ok(said)
    },
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}
