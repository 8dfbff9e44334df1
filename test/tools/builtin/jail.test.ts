import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { folderTools } from '../../../src/tools/index.ts'
import { call, tempFolder } from './temp-folder.ts'

const swap = vi.hoisted(() => ({ beforeOpen: (_path: string): void => undefined }))

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  return {
    ...real,
    open: (...args: Parameters<typeof real.open>) => {
      swap.beforeOpen(String(args[0]))
      return real.open(...args)
    },
  }
})

/** A root in a folder that also holds a secret outside of it, with links of every kind. */
function jail() {
  const outer = tempFolder({
    'secret.txt': 'SECRET',
    'secrets/inner.txt': 'SECRET',
    'root-sibling/x.txt': 'SECRET',
    'root/a.txt': 'alpha',
    'root/sub/b.txt': 'beta',
    'root/.turnstep/data.db': 'SECRET',
    'root/..odd/c.txt': 'gamma',
  })
  const root = join(outer, 'root')
  symlinkSync('../secret.txt', join(root, 'file-link'))
  symlinkSync(join(outer, 'secrets'), join(root, 'folder-link'))
  symlinkSync('..', join(root, 'sub', 'up-link'))
  symlinkSync('../..', join(root, 'sub', 'out-link'))
  symlinkSync('a.txt', join(root, 'inner-link'))
  symlinkSync('.turnstep', join(root, 'data-link'))
  symlinkSync('loop', join(root, 'loop'))
  symlinkSync('nowhere', join(root, 'dangling'))
  const [listFiles, readFile, grep] = folderTools({ root })
  return { outer, root, listFiles, readFile, grep }
}

describe('the jail of folder tools', () => {
  it.each([
    '../secret.txt',
    '..',
    'sub/../../secret.txt',
    '../root-sibling/x.txt',
    './../root/../secret.txt',
    '/etc/passwd',
    '/',
  ])('refuses %s, which lies outside as it is written', async (path) => {
    const { listFiles, readFile, grep } = jail()
    const refusal = `${JSON.stringify(path)} lies outside the working folder.`
    await expect(call(readFile, { path })).rejects.toThrow(refusal)
    await expect(call(listFiles, { path })).rejects.toThrow(refusal)
    await expect(call(grep, { path, pattern: 'S' })).rejects.toThrow(refusal)
  })

  it.each([
    'file-link',
    'folder-link',
    'folder-link/inner.txt',
    'sub/out-link/secret.txt',
    'sub/up-link/file-link',
  ])('refuses %s, which leads outside through a symbolic link', async (path) => {
    const { listFiles, readFile, grep } = jail()
    const refusal = `${JSON.stringify(path)} leads out of the working folder through a symbolic link.`
    await expect(call(readFile, { path })).rejects.toThrow(refusal)
    await expect(call(listFiles, { path })).rejects.toThrow(refusal)
    await expect(call(grep, { path, pattern: 'S' })).rejects.toThrow(refusal)
  })

  it.each(['.turnstep', '.turnstep/data.db', 'sub/../.turnstep/data.db', 'data-link/data.db', 'data-link'])(
    'refuses %s, which belongs to the runtime',
    async (path) => {
      const { listFiles, readFile, grep } = jail()
      const refusal = `${JSON.stringify(path)} is private to the runtime.`
      await expect(call(readFile, { path })).rejects.toThrow(refusal)
      await expect(call(listFiles, { path })).rejects.toThrow(refusal)
      await expect(call(grep, { path, pattern: 'S' })).rejects.toThrow(refusal)
    },
  )

  it.each([
    ['loop', '"loop" is a symbolic link that cannot be followed.'],
    ['dangling', '"dangling" does not exist.'],
    ['nope/x', '"nope/x" does not exist.'],
    ['a.txt/x', '"a.txt/x" does not exist.'],
    ['a\0b', 'A path cannot contain NUL characters.'],
    ['x'.repeat(4000), 'does not exist.'],
  ])('says what is wrong with %j', async (path, message) => {
    await expect(call(jail().readFile, { path })).rejects.toThrow(message)
  })

  it.each(['inner-link', 'sub/up-link/a.txt', 'sub/../a.txt', './a.txt', 'sub//../a.txt'])(
    'follows %s, which stays inside',
    async (path) => {
      expect(await call(jail().readFile, { path })).toMatchObject({ text: 'alpha' })
    },
  )

  it('accepts an absolute path inside, also through a link to the root, and a name that begins with two dots', async () => {
    const { root, outer, readFile } = jail()
    expect(await call(readFile, { path: join(root, 'sub/b.txt') })).toMatchObject({
      path: 'sub/b.txt',
      text: 'beta',
    })
    expect(await call(readFile, { path: '..odd/c.txt' })).toMatchObject({
      path: '..odd/c.txt',
      text: 'gamma',
    })
    symlinkSync('root', join(outer, 'alias'))
    const [, readAlias] = folderTools({ root: join(outer, 'alias') })
    expect(await call(readAlias, { path: join(outer, 'alias/a.txt') })).toMatchObject({
      path: 'a.txt',
      text: 'alpha',
    })
    expect(await call(readAlias, { path: join(root, 'a.txt') })).toMatchObject({
      path: 'a.txt',
      text: 'alpha',
    })
  })

  it('does not show links in listings, nor search through them', async () => {
    const { listFiles, grep } = jail()
    expect(await call(listFiles, {})).toEqual({
      files: [
        { path: '..odd/c.txt', bytes: 5, lines: 1 },
        { path: 'a.txt', bytes: 5, lines: 1 },
        { path: 'sub/b.txt', bytes: 4, lines: 1 },
      ],
      total: 3,
      omitted: 0,
    })
    expect(await call(grep, { pattern: 'SECRET' })).toEqual({ matches: [], total: 0 })
  })

  it.each(['linux', 'darwin'])(
    'refuses a folder that becomes a link between check and use (%s)',
    async (platform) => {
      const { outer, root, listFiles, readFile } = jail()
      mkdirSync(join(root, 'swapped'))
      renameSync(join(root, 'a.txt'), join(root, 'swapped/inner.txt'))
      vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform)
      swap.beforeOpen = () => {
        swap.beforeOpen = () => undefined
        renameSync(join(root, 'swapped'), join(root, 'moved'))
        symlinkSync(join(outer, 'secrets'), join(root, 'swapped'))
      }
      onTestFinished(() => {
        vi.restoreAllMocks()
        swap.beforeOpen = () => undefined
      })
      await expect(call(readFile, { path: 'swapped/inner.txt' })).rejects.toThrow(
        'leads out of the working folder',
      )
      await expect(call(listFiles, { path: 'swapped' })).rejects.toThrow('leads out of the working folder')
    },
  )

  it('refuses a file that becomes a link between check and use', async () => {
    const { outer, root, readFile } = jail()
    swap.beforeOpen = () => {
      swap.beforeOpen = () => undefined
      renameSync(join(root, 'a.txt'), join(root, 'moved.txt'))
      symlinkSync(join(outer, 'secret.txt'), join(root, 'a.txt'))
    }
    await expect(call(readFile, { path: 'a.txt' })).rejects.toThrow(
      '"a.txt" is a symbolic link that cannot be followed.',
    )
  })

  it('neither opens nor waits for pipes and devices', async () => {
    const { root, listFiles, readFile, grep } = jail()
    execFileSync('mkfifo', [join(root, 'pipe')])
    await expect(call(readFile, { path: 'pipe' })).rejects.toThrow('"pipe" is neither a file nor a folder.')
    await expect(call(grep, { path: 'pipe', pattern: 'x' })).rejects.toThrow(
      '"pipe" is neither a file nor a folder.',
    )
    expect(await call(listFiles, {})).toMatchObject({ total: 3 })
  })

  it('does not wait for a pipe that is put in the place of a file between check and use', async () => {
    const { root, readFile } = jail()
    swap.beforeOpen = () => {
      swap.beforeOpen = () => undefined
      renameSync(join(root, 'a.txt'), join(root, 'moved.txt'))
      execFileSync('mkfifo', [join(root, 'a.txt')])
    }
    await expect(call(readFile, { path: 'a.txt' })).rejects.toThrow('"a.txt" is neither a file nor a folder.')
  })

  it('passes over what may not be read, and says so when it is asked for by name', async () => {
    const { root, listFiles, readFile, grep } = jail()
    swap.beforeOpen = (path) => {
      if (path !== join(root, 'a.txt') && path !== join(root, 'sub')) return
      throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' })
    }
    onTestFinished(() => {
      swap.beforeOpen = () => undefined
    })
    expect(await call(listFiles, {})).toEqual({
      files: [{ path: '..odd/c.txt', bytes: 5, lines: 1 }],
      total: 2,
      omitted: 1,
    })
    expect(await call(grep, { pattern: 'a' })).toMatchObject({ matches: [{ path: '..odd/c.txt' }], total: 1 })
    await expect(call(readFile, { path: 'a.txt' })).rejects.toThrow('"a.txt" may not be read.')
    await expect(call(listFiles, { path: 'sub' })).rejects.toThrow('"sub" may not be read.')
  })

  it('never reads outside, whatever path is made of such pieces', async () => {
    const { outer, root, listFiles, readFile, grep } = jail()
    const piece = fc.constantFrom(
      '..',
      '.',
      '',
      'sub',
      'a.txt',
      'b.txt',
      'secret.txt',
      'secrets',
      'inner.txt',
      'root',
      'file-link',
      'folder-link',
      'up-link',
      'out-link',
      'inner-link',
      'data-link',
      '.turnstep',
      'data.db',
      outer.slice(1),
    )
    const path = fc
      .tuple(fc.constantFrom('', '/', `${root}/`, `${outer}/`), fc.array(piece, { maxLength: 7 }))
      .map(([start, pieces]) => start + pieces.join('/'))
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(path, async (candidate) => {
        const attempts = [
          () => call(readFile, { path: candidate }),
          () => call(grep, { path: candidate, pattern: 'SECRET' }),
          () => call(listFiles, { path: candidate }),
        ]
        for (const attempt of attempts) {
          const answer = JSON.stringify(await attempt().catch(() => 'refused'))
          outcomes.add(answer === '"refused"' ? 'refused' : 'read')
          expect(answer).not.toContain('SECRET')
          expect(answer).not.toContain('inner.txt')
        }
      }),
      { numRuns: 300 },
    )
    expect([...outcomes].sort()).toEqual(['read', 'refused'])
  })

  it.each(['/no/such/folder', import.meta.filename])('refuses %s as root when it is configured', (root) => {
    expect(() => folderTools({ root })).toThrow(expect.objectContaining({ code: 'invalid-config' }))
  })
})
