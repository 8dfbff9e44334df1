import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assertLog } from '../../../src/core/verify-log.ts'
import { logOf, newPlace } from './support/place.ts'
import { runCommand } from './support/turnstep-command.ts'

/** Writes TypeScript and other files with lengths made at random, and returns the longest TypeScript file. */
async function fillAtRandom(folder: string): Promise<{ readonly path: string; readonly lines: number }> {
  let longest = { path: '', lines: 0 }
  const lengths = new Set<number>()
  while (lengths.size < 12) lengths.add(1 + Math.floor(Math.random() * 400))
  for (const [index, lines] of [...lengths].entries()) {
    const path = `${index % 3 === 0 ? 'deep/' : ''}${crypto.randomUUID().slice(0, 8)}.ts`
    await mkdir(join(folder, 'deep'), { recursive: true })
    await writeFile(join(folder, path), `export const value = ${index}\n`.repeat(lines))
    if (lines > longest.lines) longest = { path, lines }
  }
  await writeFile(join(folder, 'longer.md'), 'text\n'.repeat(1_000))
  return longest
}

describe('turnstep run without a model', () => {
  it('says on the first line that it talks to the demonstration model, which answers by what tools return', async () => {
    const place = await newPlace('own')
    const longest = await fillAtRandom(place.folder)
    const { code, stdout, stderr } = await runCommand(place, [
      'run',
      'Which TypeScript file here has the most lines?',
    ])
    expect(code).toBe(0)
    expect(stderr.split('\n')[0]).toMatch(/^Model: the demonstration model, .*no language model/)
    expect(stderr).toMatch(/^Temporal: 127\.0\.0\.1:\d+ \(started from /m)
    expect(stdout).toContain(`${longest.path} has the most lines: ${longest.lines}`)
    const log = await logOf(place, 'main')
    assertLog(log, { settled: true })
    expect(log.filter(({ type }) => type === 'step/start').length).toBeGreaterThanOrEqual(2)
    expect(
      log.filter((event) => event.type === 'tool/result' && event.kind === 'ok').length,
    ).toBeGreaterThanOrEqual(1)
  })
})
