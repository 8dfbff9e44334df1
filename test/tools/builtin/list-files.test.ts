import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderResult } from '../../../src/core/render-result.ts'
import { JailedFolder } from '../../../src/tools/builtin/jailed-folder.ts'
import { walkFiles } from '../../../src/tools/builtin/walk-files.ts'
import { folderTools } from '../../../src/tools/index.ts'
import { call, tempFolder } from './temp-folder.ts'

function listing(files: Readonly<Record<string, string | Uint8Array>>) {
  const root = tempFolder(files)
  const [listFiles] = folderTools({ root })
  return { root, list: (args: unknown = {}, signal?: AbortSignal) => call(listFiles, args, signal) }
}

const SOURCES = {
  'b.ts': '1\n2\n3\n',
  'a.ts': '1\n2',
  'sub/c.tsx': '1\n2\n3\n4',
  'sub/d.TS': '1234567890',
  'notes.md': '',
}

describe('list_files', () => {
  it('lists files with bytes and lines in order of their paths', async () => {
    expect(await listing(SOURCES).list()).toEqual({
      files: [
        { path: 'a.ts', bytes: 3, lines: 2 },
        { path: 'b.ts', bytes: 6, lines: 3 },
        { path: 'notes.md', bytes: 0, lines: 0 },
        { path: 'sub/c.tsx', bytes: 7, lines: 4 },
        { path: 'sub/d.TS', bytes: 10, lines: 1 },
      ],
      total: 5,
      omitted: 0,
    })
  })

  it.each(['ts', '.ts', '*.ts', ' .TS '])(
    'takes %j to mean files that end in .ts, and not .tsx',
    async (extension) => {
      expect(await listing(SOURCES).list({ extension })).toMatchObject({
        files: [{ path: 'a.ts' }, { path: 'b.ts' }, { path: 'sub/d.TS' }],
        total: 3,
      })
    },
  )

  it('puts the file with the most lines first, and orders equals by path', async () => {
    const { list } = listing({ 'z.ts': 'a\nb', 'y.ts': 'a\nb', 'x.ts': 'a', 'w.ts': 'a\nb\nc' })
    expect(await list({ sort: 'lines', limit: 3 })).toEqual({
      files: [
        { path: 'w.ts', bytes: 5, lines: 3 },
        { path: 'y.ts', bytes: 3, lines: 2 },
        { path: 'z.ts', bytes: 3, lines: 2 },
      ],
      total: 4,
      omitted: 1,
    })
  })

  it('puts the largest file first', async () => {
    expect(await listing(SOURCES).list({ sort: 'bytes', limit: 1 })).toEqual({
      files: [{ path: 'sub/d.TS', bytes: 10, lines: 1 }],
      total: 5,
      omitted: 4,
    })
  })

  it('lists one folder, or one file', async () => {
    const { list } = listing(SOURCES)
    expect(await list({ path: 'sub/' })).toMatchObject({
      files: [{ path: 'sub/c.tsx' }, { path: 'sub/d.TS' }],
    })
    expect(await list({ path: 'a.ts' })).toMatchObject({ files: [{ path: 'a.ts' }], total: 1 })
  })

  it.each(['node_modules', '.git', 'dist', 'build', 'coverage', '.turnstep'])(
    'leaves out %s at any depth',
    async (folder) => {
      const { list } = listing({
        [`${folder}/x.ts`]: '',
        [`sub/${folder}/y.ts`]: '',
        'kept.ts': '',
        [`sub/${folder}s.ts`]: '',
      })
      expect(await list()).toMatchObject({
        files: [{ path: 'kept.ts' }, { path: `sub/${folder}s.ts` }],
        total: 2,
      })
    },
  )

  it('lists a folder that is left out otherwise when it is asked for by name', async () => {
    const { list } = listing({ 'node_modules/p/index.js': 'x', 'node_modules/p/node_modules/q.js': 'x' })
    expect(await list({ path: 'node_modules' })).toMatchObject({
      files: [{ path: 'node_modules/p/index.js' }],
      total: 1,
    })
  })

  it('leaves out what .gitignore files name, each from its own folder on', async () => {
    const { list } = listing({
      '.gitignore': '# secrets\n*.log\n!keep.log\n/top.txt\ngenerated/\n\ndocs/*.tmp\n',
      'a.log': '',
      'keep.log': '',
      'top.txt': '',
      'sub/top.txt': '',
      'sub/.gitignore': 'local.*\n!a.log',
      'sub/a.log': '',
      'sub/local.ts': '',
      'local.ts': '',
      'sub/generated/x.ts': '',
      'docs/x.tmp': '',
      'sub/docs/x.tmp': '',
    })
    expect(await list()).toMatchObject({
      files: [
        { path: '.gitignore' },
        { path: 'keep.log' },
        { path: 'local.ts' },
        { path: 'sub/.gitignore' },
        { path: 'sub/a.log' },
        { path: 'sub/docs/x.tmp' },
        { path: 'sub/top.txt' },
      ],
      total: 7,
    })
    expect(await list({ path: 'sub' })).toMatchObject({ total: 4 })
  })

  it('does not read a .gitignore that is a link', async () => {
    const { root, list } = listing({ 'rules/x': 'a.ts', 'a.ts': '' })
    symlinkSync('rules/x', join(root, '.gitignore'))
    expect(await list()).toMatchObject({ files: [{ path: 'a.ts' }, { path: 'rules/x' }] })
  })

  it('counts no lines of binary files, and counts long ones block by block', async () => {
    const { list } = listing({
      'image.png': Buffer.from([137, 80, 78, 71, 10, 0, 10]),
      'long.txt': `${'x'.repeat(70)}\n`.repeat(5_000),
      'one-line.txt': 'x'.repeat(300_000),
      'blank.txt': '\n\n\n',
    })
    expect(await list()).toMatchObject({
      files: [
        { path: 'blank.txt', lines: 3 },
        { path: 'image.png', bytes: 7, lines: 0 },
        { path: 'long.txt', lines: 5_000 },
        { path: 'one-line.txt', bytes: 300_000, lines: 1 },
      ],
    })
  })

  it('returns fewer than asked for when they do not fit a receipt, and counts them as omitted', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`${index}-${'x'.repeat(150)}`, '']),
    )
    const answer = (await listing(files).list({ limit: 1000, sort: 'lines' })) as {
      files: unknown[]
      omitted: number
    }
    expect(answer).toMatchObject({ total: 200, omitted: 200 - answer.files.length })
    expect(renderResult(answer)).toEqual({ kind: 'text', text: JSON.stringify(answer) })
    expect(answer.files.length).toBeGreaterThan(50)
  })

  it('rejects with the reason of an abort', async () => {
    const stopped = new Error('stopped')
    await expect(listing(SOURCES).list({ sort: 'lines' }, AbortSignal.abort(stopped))).rejects.toBe(stopped)
  })

  it.each([{ limit: 0 }, { limit: 1001 }, { sort: 'size' }, { depth: 2 }, { path: 5 }])(
    'refuses %j as arguments',
    async (args) => {
      await expect(listing({}).list(args)).rejects.toThrow(
        'The arguments do not fit the tool, nothing was run',
      )
    },
  )
})

describe('walkFiles', () => {
  const FILES = { 'a/1': '', 'a/2': '', 'b/c/d/3': '', 'e/4': '' }

  function walk(
    limits: { files: number; folders: number; depth: number },
    accepts = () => true,
    signal = new AbortController().signal,
  ) {
    return walkFiles(new JailedFolder(tempFolder(FILES)), { path: '.', accepts, signal, limits })
  }

  it('finds everything within its limits', async () => {
    expect(await walk({ files: 4, folders: 6, depth: 3 })).toEqual({
      files: ['a/1', 'a/2', 'b/c/d/3', 'e/4'],
      isComplete: true,
    })
  })

  it('says that it is not complete when there are too many files', async () => {
    expect(await walk({ files: 1, folders: 9, depth: 9 })).toEqual({ files: ['a/1'], isComplete: false })
  })

  it('says that it is not complete when there are too many folders', async () => {
    expect(await walk({ files: 9, folders: 2, depth: 9 })).toEqual({
      files: ['a/1', 'a/2'],
      isComplete: false,
    })
  })

  it('passes over what is too deep and goes on beside it', async () => {
    expect(await walk({ files: 9, folders: 9, depth: 2 })).toEqual({
      files: ['a/1', 'a/2', 'e/4'],
      isComplete: false,
    })
  })

  it('stops in the middle when it is told to', async () => {
    const controller = new AbortController()
    const stopped = new Error('stopped')
    const accepts = () => {
      controller.abort(stopped)
      return true
    }
    await expect(walk({ files: 9, folders: 9, depth: 9 }, accepts, controller.signal)).rejects.toBe(stopped)
  })
})
