import { describe, expect, it } from 'vitest'
import { renderResult } from '../../../src/core/render-result.ts'
import { folderTools } from '../../../src/tools/index.ts'
import { call, tempFolder } from './temp-folder.ts'

function searching(files: Readonly<Record<string, string | Uint8Array>>) {
  const [, , grep] = folderTools({ root: tempFolder(files) })
  return (args: unknown, signal?: AbortSignal) => call(grep, args, signal)
}

const FILES = {
  'b.ts': 'const total = 1\nexport function sum() {}\n',
  'a.ts': '// sum of all\nconst x = 2\nreturn sum()\n',
  'c.md': 'The sum is 3.',
  'node_modules/p/d.ts': 'sum',
}

describe('grep', () => {
  it('finds lines in order of path and number', async () => {
    expect(await searching(FILES)({ pattern: 'sum' })).toEqual({
      matches: [
        { path: 'a.ts', line: 1, text: '// sum of all' },
        { path: 'a.ts', line: 3, text: 'return sum()' },
        { path: 'b.ts', line: 2, text: 'export function sum() {}' },
        { path: 'c.md', line: 1, text: 'The sum is 3.' },
      ],
      total: 4,
    })
  })

  it('returns as many as asked for and counts all', async () => {
    expect(await searching(FILES)({ pattern: 'sum', limit: 2 })).toMatchObject({
      matches: [{ path: 'a.ts' }, { path: 'a.ts' }],
      total: 4,
    })
  })

  it('searches one extension, one folder or one file', async () => {
    const search = searching(FILES)
    expect(await search({ pattern: 'sum', extension: '.md' })).toMatchObject({
      matches: [{ path: 'c.md' }],
      total: 1,
    })
    expect(await search({ pattern: 'sum', path: 'node_modules' })).toMatchObject({
      matches: [{ path: 'node_modules/p/d.ts' }],
      total: 1,
    })
    expect(await search({ pattern: 'sum', path: 'b.ts' })).toMatchObject({
      matches: [{ path: 'b.ts' }],
      total: 1,
    })
  })

  it('shows at most 200 characters of a line, cut at code points', async () => {
    const answer = await searching({ 'a.txt': `x${'😀'.repeat(300)}` })({ pattern: 'x' })
    expect(answer).toEqual({ matches: [{ path: 'a.txt', line: 1, text: `x${'😀'.repeat(99)}…` }], total: 1 })
  })

  it('returns fewer than asked for when they do not fit a receipt, and counts all', async () => {
    const search = searching({ 'a.txt': `${'"'.repeat(199)}\n`.repeat(500) })
    const answer = (await search({ pattern: '"', limit: 500 })) as { matches: unknown[] }
    expect(answer).toMatchObject({ total: 500 })
    expect(answer.matches).toHaveLength(32)
    expect(renderResult(answer)).toEqual({ kind: 'text', text: JSON.stringify(answer) })
  })

  it('leaves out binary files', async () => {
    expect(await searching({ 'a.bin': 'sum\0', 'a.txt': 'sum' })({ pattern: 'sum' })).toMatchObject({
      matches: [{ path: 'a.txt' }],
      total: 1,
    })
  })

  it('keeps the order when there are many files', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `f${String(index).padStart(3, '0')}.txt`,
        'hit\n'.repeat(index % 3),
      ]),
    )
    const answer = (await searching(files)({ pattern: 'hit', limit: 500 })) as {
      matches: { path: string; line: number }[]
      total: number
    }
    expect(answer.total).toBe(99)
    expect(answer.matches.slice(0, 4)).toMatchObject([
      { path: 'f001.txt', line: 1 },
      { path: 'f002.txt', line: 1 },
      { path: 'f002.txt', line: 2 },
      { path: 'f004.txt', line: 1 },
    ])
    expect(answer.matches.at(-1)).toMatchObject({ path: 'f098.txt', line: 2 })
  })

  it('rejects with the reason of an abort', async () => {
    const stopped = new Error('stopped')
    await expect(searching(FILES)({ pattern: 'sum' }, AbortSignal.abort(stopped))).rejects.toBe(stopped)
  })
})
