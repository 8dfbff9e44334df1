import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createToolHost, type WriteFileOptions, writeFile } from '../../../src/tools/index.ts'
import { call, tempFolder } from './temp-folder.ts'

const swap = vi.hoisted(() => ({ beforeOpen: (_path: string): void => undefined }))

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>()
  return {
    ...actual,
    open: async (...args: Parameters<typeof actual.open>) => {
      swap.beforeOpen(String(args[0]))
      return actual.open(...args)
    },
  }
})

/** SHA-256 of "old". */
const OLD = 'cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4'

function jail(options: Partial<WriteFileOptions> = {}) {
  const outer = tempFolder({ 'root/a.txt': 'old', 'root/sub/b.txt': 'old', 'outside/x.txt': 'OUTSIDE' })
  const root = join(outer, 'root')
  const tool = writeFile({ root, ...options })
  const write = (args: object, signal?: AbortSignal) => call(tool, { content: 'new\n', ...args }, signal)
  return { outer, root, tool, write }
}

function contentOf(...path: readonly string[]): string {
  return readFileSync(join(...path), 'utf8')
}

describe('write_file', () => {
  it('shows what it would change, and changes nothing by that', async () => {
    const { root, tool } = jail()
    const context = {
      signal: new AbortController().signal,
      session: { tenant: 'default', session: 's' },
      turnId: 't',
    }
    const preview = (args: object) =>
      createToolHost([tool]).preview?.('write_file', { mode: 'create', ...args }, context)
    expect(await preview({ path: 'a.txt', content: 'new\n', mode: 'replace' })).toEqual({
      kind: 'diff',
      path: 'a.txt',
      diff: '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-old\n\\ No newline at end of file\n+new\n',
    })
    expect(await preview({ path: 'new/c.txt', content: 'new\n' })).toMatchObject({
      diff: '--- new/c.txt\n+++ new/c.txt\n@@ -0,0 +1,1 @@\n+new\n',
    })
    expect(await preview({ path: 'a.txt', content: 'old', mode: 'replace' })).toBeUndefined()
    expect(await preview({ path: 'a.txt', content: 'new' })).toBeUndefined()
    expect(await preview({ path: 'c.txt', content: 'new', mode: 'replace' })).toBeUndefined()
    expect(await preview({ path: 'sub', content: 'x' })).toBeUndefined()
    expect(await preview({ path: 'a.txt', content: 'x'.repeat(1_100_000) })).toBeUndefined()
    await expect(preview({ path: '../outside/x.txt', content: 'x' })).rejects.toThrow('lies outside')
    const long = await preview({ path: 'long.txt', content: 'line\n'.repeat(10_000) })
    expect(long?.diff).toHaveLength(32_020)
    expect(long?.diff).toMatch(/\n\+line\n\[28051 more characters\]\n$/)
    expect(readdirSync(root)).toEqual(['a.txt', 'sub'])
  })

  it('creates a file, and the folders that it needs', async () => {
    const { root, write } = jail()
    expect(await write({ path: 'new/deep/c.txt', content: 'grün\nblau' })).toEqual({
      path: 'new/deep/c.txt',
      bytes: 10,
      lines: 2,
      sha256: 'a77db2bb8d02f2e97c5182d0e3da105ced75c54852a2174de404e1e8cb4d580d',
    })
    expect(contentOf(root, 'new/deep/c.txt')).toBe('grün\nblau')
    expect(readdirSync(join(root, 'new/deep'))).toEqual(['c.txt'])
  })

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\nb', 3],
  ])('counts the lines of %j as read_file does', async (content, lines) => {
    expect(await jail().write({ path: 'c.txt', content })).toMatchObject({ lines })
  })

  it('does not replace a file unless it is told to', async () => {
    const { root, write } = jail()
    await expect(write({ path: 'a.txt' })).rejects.toThrow(
      '"a.txt" exists already. Read it, and use mode replace.',
    )
    expect(contentOf(root, 'a.txt')).toBe('old')
    expect(await write({ path: 'a.txt', mode: 'replace' })).toMatchObject({ path: 'a.txt', bytes: 4 })
    expect(contentOf(root, 'a.txt')).toBe('new\n')
    expect(readdirSync(root).sort()).toEqual(['a.txt', 'sub'])
  })

  it('does not replace what is not there', async () => {
    const { root, write } = jail()
    await expect(write({ path: 'c.txt', mode: 'replace' })).rejects.toThrow(
      '"c.txt" does not exist. Use mode create.',
    )
    expect(existsSync(join(root, 'c.txt'))).toBe(false)
  })

  it('does not replace what is not as expected', async () => {
    const { root, write } = jail()
    const expectedSha256 = '0'.repeat(64)
    await expect(write({ path: 'a.txt', mode: 'replace', expectedSha256 })).rejects.toThrow(
      `"a.txt" is not what was expected, its SHA-256 is ${OLD}.`,
    )
    expect(contentOf(root, 'a.txt')).toBe('old')
    await write({ path: 'a.txt', mode: 'replace', expectedSha256: OLD })
    expect(contentOf(root, 'a.txt')).toBe('new\n')
  })

  it.each([
    ['create', {}],
    ['replace', { expectedSha256: OLD }],
  ])('answers a repeated %s as the first one', async (mode, more) => {
    const { write } = jail()
    const args = { path: mode === 'create' ? 'c.txt' : 'a.txt', mode, ...more }
    const first = await write(args)
    expect(await write(args)).toEqual(first)
  })

  it('leaves the file as it was, and nothing beside it, when it is aborted', async () => {
    const { root, write } = jail()
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(write({ path: 'a.txt', mode: 'replace' }, stopped)).rejects.toThrow('stopped')
    await expect(write({ path: 'c.txt' }, stopped)).rejects.toThrow('stopped')
    expect(contentOf(root, 'a.txt')).toBe('old')
    expect(readdirSync(root).sort()).toEqual(['a.txt', 'sub'])
  })

  it('keeps the permissions of a file that it replaces, and not its other names', async () => {
    const { outer, root, write } = jail()
    chmodSync(join(root, 'a.txt'), 0o750)
    linkSync(join(root, 'a.txt'), join(outer, 'other'))
    await write({ path: 'a.txt', mode: 'replace' })
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o750)
    expect(contentOf(outer, 'other')).toBe('old')
  })

  it('waits for approval by default, and may run again', () => {
    expect(createToolHost([jail().tool]).describe()[0]).toMatchObject({ risk: 'high', effect: 'idempotent' })
    expect(createToolHost([jail({ risk: 'medium' }).tool]).describe()[0]).toMatchObject({ risk: 'medium' })
  })

  it('refuses content above its limit, in bytes', async () => {
    const { root, write } = jail({ maxBytes: 10 })
    await expect(write({ path: 'c.txt', content: 'ä'.repeat(6) })).rejects.toThrow(
      'The content has 12 bytes; at most 10 are written.',
    )
    expect(existsSync(join(root, 'c.txt'))).toBe(false)
  })

  it.each([
    [{ root: '/no/such/folder' }, 'root "/no/such/folder" of a folder tool must be a folder'],
    [{ maxBytes: 0 }, 'writeFile: maxBytes must be a whole number from 1 to 16777216.'],
  ])('cannot be made with %j', (options, message) => {
    expect(() => jail(options)).toThrow(
      expect.objectContaining({ code: 'invalid-config', message: expect.stringContaining(message) }),
    )
  })
})

describe('the jail of write_file', () => {
  it.each([
    ['../c.txt', 'lies outside the working folder.'],
    ['sub/../../outside/x.txt', 'lies outside the working folder.'],
    ['/etc/c.txt', 'lies outside the working folder.'],
    ['.', 'is a folder.'],
    ['sub', '"sub" is a folder.'],
    ['a.txt/c.txt', 'a file or a symbolic link is in the place of one of its folders.'],
    ['.turnstep/c.txt', 'is private to the runtime.'],
    ['.git/hooks/pre-commit', 'belongs to Git, nothing is written there.'],
    ['sub/.GIT/config', 'belongs to Git, nothing is written there.'],
    ['a\0b', 'control characters'],
    ['a\nb', 'control characters'],
    ['x'.repeat(300), 'its name is too long.'],
  ])('refuses %.40j', async (path, message) => {
    const { root, write } = jail()
    mkdirSync(join(root, '.git'))
    await expect(write({ path })).rejects.toThrow(message)
    await expect(write({ path, mode: 'replace' })).rejects.toThrow(message)
  })

  it.each([
    ['file-link', 'is a symbolic link, which is not written through.'],
    ['folder-link/c.txt', 'leads out of the working folder through a symbolic link.'],
    ['folder-link/new/c.txt', 'leads out of the working folder through a symbolic link.'],
    ['up-link/outside/c.txt', 'leads out of the working folder through a symbolic link.'],
    ['dangling', 'is a symbolic link, which is not written through.'],
    ['dangling/c.txt', 'a file or a symbolic link is in the place of one of its folders.'],
    ['data-link/c.txt', 'is private to the runtime.'],
    ['git-link/config', 'belongs to Git, nothing is written there.'],
    ['pipe', 'is no regular file.'],
  ])('refuses %s', async (path, message) => {
    const { outer, root, write } = jail()
    mkdirSync(join(root, '.turnstep'))
    mkdirSync(join(root, '.git'))
    symlinkSync('../outside/x.txt', join(root, 'file-link'))
    symlinkSync('../outside', join(root, 'folder-link'))
    symlinkSync('..', join(root, 'up-link'))
    symlinkSync('../outside/nowhere', join(root, 'dangling'))
    symlinkSync('.turnstep', join(root, 'data-link'))
    symlinkSync('.git', join(root, 'git-link'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    await expect(write({ path })).rejects.toThrow(message)
    await expect(write({ path, mode: 'replace' })).rejects.toThrow(message)
    expect(readdirSync(join(outer, 'outside'))).toEqual(['x.txt'])
    expect(contentOf(outer, 'outside/x.txt')).toBe('OUTSIDE')
  })

  it('writes through a link to a folder that lies inside', async () => {
    const { root, write } = jail()
    symlinkSync('sub', join(root, 'link'))
    expect(await write({ path: 'link/new/c.txt' })).toMatchObject({ path: 'sub/new/c.txt' })
    expect(contentOf(root, 'sub/new/c.txt')).toBe('new\n')
  })

  it.each([
    ['linux', 'sub'],
    ['linux', '.tmp'],
    ['darwin', 'sub'],
  ])('writes nothing outside when a folder becomes a link meanwhile (%s, %s)', async (platform, when) => {
    const { outer, root, write } = jail()
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform)
    swap.beforeOpen = (path) => {
      if (!path.endsWith(when)) return
      swap.beforeOpen = () => undefined
      renameSync(join(root, 'sub'), join(root, 'moved'))
      symlinkSync(join(outer, 'outside'), join(root, 'sub'))
    }
    onTestFinished(() => {
      vi.restoreAllMocks()
      swap.beforeOpen = () => undefined
    })
    await write({ path: 'sub/c.txt' }).catch(() => undefined)
    expect(existsSync(join(root, 'moved'))).toBe(true)
    expect(readdirSync(join(outer, 'outside'))).toEqual(['x.txt'])
  })

  it('does not replace a file that somebody else creates meanwhile', async () => {
    const { root, write } = jail()
    swap.beforeOpen = (path) => {
      if (path.endsWith('.tmp')) writeFileSync(join(root, 'c.txt'), 'theirs')
    }
    onTestFinished(() => {
      swap.beforeOpen = () => undefined
    })
    await expect(write({ path: 'c.txt' })).rejects.toThrow('"c.txt" exists already.')
    expect(contentOf(root, 'c.txt')).toBe('theirs')
    expect(readdirSync(root).sort()).toEqual(['a.txt', 'c.txt', 'sub'])
  })

  it('never writes outside, whatever path is made of such pieces', async () => {
    const { outer, root, write } = jail()
    symlinkSync('../outside', join(root, 'out'))
    symlinkSync('..', join(root, 'sub/up'))
    const pieces = [
      '..',
      '.',
      '',
      'sub',
      'up',
      'out',
      'a.txt',
      'x.txt',
      'new',
      'outside',
      'root',
      outer.slice(1),
    ]
    const path = fc
      .tuple(
        fc.constantFrom('', '/', `${root}/`, `${outer}/`),
        fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }),
      )
      .map(([start, parts]) => start + parts.join('/'))
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('create', 'replace'), async (candidate, mode) => {
        const outcome = await write({ path: candidate, mode }).then(
          () => 'written',
          () => 'refused',
        )
        outcomes.add(outcome)
        expect(readdirSync(outer).sort()).toEqual(['outside', 'root'])
        expect(readdirSync(join(outer, 'outside'))).toEqual(['x.txt'])
        expect(contentOf(outer, 'outside/x.txt')).toBe('OUTSIDE')
      }),
      { numRuns: 300 },
    )
    expect([...outcomes].sort()).toEqual(['refused', 'written'])
  })
})
