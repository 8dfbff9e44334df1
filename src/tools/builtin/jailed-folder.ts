/**
 * A folder that nothing is read or written outside of.
 *
 * Invariants:
 * 1. A path is judged twice: as it is written, and as the opened descriptor that it led to. What is between the
 *    two may be swapped by somebody else; the descriptor no longer changes.
 * 2. Only regular files and folders are opened, and nothing that could block is waited for.
 * 3. Paths that go out are relative to the root, with forward slashes.
 */
import { constants, realpathSync, statSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import { TurnstepError } from '../../core/errors.ts'
import { clip } from '../../core/printable-text.ts'
import { OWN_DATA_FOLDER } from './ignore-rules.ts'

/** A path that is refused or leads nowhere; its message is written for the model. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
  readonly guidance = 'Use a path relative to the working folder; list_files shows what is there.'
  /** Whether nothing of that name is there. */
  readonly isAbsent: boolean

  constructor(message: string, { isAbsent = false }: { readonly isAbsent?: boolean } = {}) {
    super(message)
    this.isAbsent = isAbsent
  }
}

export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
}

export type Opened =
  | { readonly kind: 'file'; readonly handle: FileHandle; readonly bytes: number }
  | { readonly kind: 'folder'; readonly handle: FileHandle }

/** The folder that a file is to be written into. */
export interface OpenedParent {
  /** The file's path, links resolved but for the file itself. */
  readonly path: string
  readonly name: string
  /** A path for the file system that leads to an entry of this folder, also where its name is somebody else's by now. */
  at(name: string): string
}

/** `O_NONBLOCK`, lest a pipe that was put in a file's place is waited for. Zero where a platform has no such flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

const FOLDER_FLAGS = OPEN_FLAGS | (constants.O_DIRECTORY ?? 0)

export class JailedFolder {
  readonly #root: string
  /** The root as it was given, which models learn from messages and use in absolute paths. */
  readonly #givenRoot: string

  /** Fails with `invalid-config` when there is no such folder. */
  constructor(root: string) {
    try {
      this.#givenRoot = resolve(root)
      this.#root = realpathSync(this.#givenRoot)
      if (!statSync(this.#root).isDirectory()) throw new Error('it is not a folder')
    } catch (cause) {
      throw new TurnstepError(
        'invalid-config',
        `root ${JSON.stringify(root)} of a folder tool must be a folder that can be read.`,
        { cause },
      )
    }
  }

  /**
   * The relative form of a path that lies inside as it is written, '' for the root itself. Links are not
   * looked at. Fails with {@link FolderError}.
   */
  relativePath(path: string): string {
    if (path.includes('\0')) throw new FolderError('A path cannot contain NUL characters.')
    const inner = isAbsolute(path) ? this.#innerOf(normalize(path)) : normalize(path === '' ? '.' : path)
    const parts = inner?.split(sep).filter((part) => part !== '' && part !== '.')
    if (parts === undefined || parts[0] === '..')
      throw new FolderError(`${quote(path)} lies outside the working folder.`)
    if (parts.includes(OWN_DATA_FOLDER)) throw new FolderError(`${quote(path)} is private to the runtime.`)
    return parts.join('/')
  }

  /** Runs `use` on what a path opens, and closes it. Fails with {@link FolderError}, and with what `use` fails with. */
  async withOpened<R>(path: string, use: (opened: Opened) => Promise<R>): Promise<R> {
    const handle = await this.#open(path)
    try {
      const stat = await handle.stat()
      if (stat.isDirectory()) return await use({ kind: 'folder', handle })
      if (stat.isFile()) return await use({ kind: 'file', handle, bytes: stat.size })
      throw new FolderError(`${quote(path)} is neither a file nor a folder.`)
    } finally {
      await handle.close()
    }
  }

  /**
   * Runs `use` on the folder that a file of this path lies in, and makes it where it is missing. It is walked to
   * from the root, a folder at a time, each opened in the one before and none through a link; without `/proc` by
   * path, looked at once more when it is open. Fails with {@link FolderError}, and with what `use` fails with.
   */
  async withParent<R>(path: string, use: (parent: OpenedParent) => Promise<R>): Promise<R> {
    const parts = await this.#resolvedParts(path)
    const name = parts.pop()
    if (name === undefined) throw new FolderError(`${quote(path)} is a folder.`)
    let handle = await open(this.#root, FOLDER_FLAGS)
    try {
      for (const [index, part] of parts.entries()) {
        const next = await openOrMake(await this.#entryPath(handle, parts.slice(0, index), part))
        await handle.close()
        handle = next
      }
      await this.#assertInside(handle, parts.join('/'))
      const here = await this.#entryPath(handle, parts, '')
      return await use({ path: [...parts, name].join('/'), name, at: (entry) => join(here, entry) })
    } catch (error) {
      throw explain(error, path, UNWRITABLE)
    } finally {
      await handle.close()
    }
  }

  /** Files and folders of an opened folder by name; links and everything else are left out. */
  async entries(path: string, handle: FileHandle): Promise<readonly FolderEntry[]> {
    const viaDescriptor = `/proc/self/fd/${handle.fd}`
    const hasDescriptors = (await descriptorPath(handle)) !== undefined
    const list = await readdir(hasDescriptors ? viaDescriptor : join(this.#root, path), {
      withFileTypes: true,
    })
    if (!hasDescriptors) await this.#assertInside(handle, path)
    return list
      .flatMap((entry): FolderEntry[] => {
        if (entry.isDirectory()) return [{ name: entry.name, kind: 'folder' }]
        return entry.isFile() ? [{ name: entry.name, kind: 'file' }] : []
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The parts of a path from the root on, with the links in what there is of its folders resolved. */
  async #resolvedParts(path: string): Promise<string[]> {
    const parts = this.relativePath(path).split('/').filter(Boolean)
    for (let depth = Math.max(parts.length - 1, 0); depth > 0; depth -= 1) {
      const real = await realpath(join(this.#root, ...parts.slice(0, depth))).catch(() => undefined)
      if (real === undefined) continue
      this.#assertAllowed(real, path)
      return [...relative(this.#root, real).split(sep).filter(Boolean), ...parts.slice(depth)]
    }
    return parts
  }

  /** Of a folder that is open: by its descriptor where the platform allows, lest its path leads elsewhere by now. */
  async #entryPath(handle: FileHandle, parts: readonly string[], name: string): Promise<string> {
    const hasDescriptors = (await descriptorPath(handle)) !== undefined
    return hasDescriptors ? `/proc/self/fd/${handle.fd}/${name}` : join(this.#root, ...parts, name)
  }

  async #open(path: string): Promise<FileHandle> {
    const real = await this.#realPath(path)
    let handle: FileHandle | undefined
    try {
      const stat = await lstat(real)
      if (!stat.isFile() && !stat.isDirectory())
        throw new FolderError(`${quote(path)} is neither a file nor a folder.`)
      handle = await open(real, OPEN_FLAGS)
      await this.#assertInside(handle, path)
      return handle
    } catch (error) {
      await handle?.close()
      throw explain(error, path)
    }
  }

  async #realPath(path: string): Promise<string> {
    const real = await realpath(join(this.#root, this.relativePath(path))).catch((error: unknown) => {
      throw explain(error, path)
    })
    this.#assertAllowed(real, path)
    return real
  }

  async #assertInside(handle: FileHandle, path: string): Promise<void> {
    const opened = await descriptorPath(handle)
    if (opened !== undefined) return this.#assertAllowed(opened, path)
    // Without /proc: the path must still lead, without links, to the very file that was opened.
    const real = await this.#realPath(path)
    const [here, there] = await Promise.all([handle.stat(), lstat(real)])
    if (here.dev !== there.dev || here.ino !== there.ino)
      throw new FolderError(`${quote(path)} changed while it was opened.`)
  }

  #assertAllowed(real: string, path: string): void {
    const inner = relative(this.#root, real)
    if (leadsOut(inner)) {
      throw new FolderError(`${quote(path)} leads out of the working folder through a symbolic link.`)
    }
    if (inner.split(sep).includes(OWN_DATA_FOLDER))
      throw new FolderError(`${quote(path)} is private to the runtime.`)
  }

  #innerOf(absolute: string): string | undefined {
    return [this.#root, this.#givenRoot]
      .map((root) => relative(root, absolute))
      .find((inner) => !leadsOut(inner))
  }
}

async function openOrMake(path: string): Promise<FileHandle> {
  try {
    return await open(path, FOLDER_FLAGS)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return open(path, FOLDER_FLAGS)
}

function leadsOut(inner: string): boolean {
  return isAbsolute(inner) || inner === '..' || inner.startsWith(`..${sep}`)
}

/** Where a descriptor leads now, or undefined on a platform that does not tell. */
async function descriptorPath(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`)
  } catch {
    return undefined
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  ENAMETOOLONG: 'does not exist',
  ELOOP: 'is a symbolic link that cannot be followed',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
}

const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'cannot be written: a file or a symbolic link is in the place of one of its folders',
  ENAMETOOLONG: 'cannot be written: its name is too long',
  ELOOP: 'is a symbolic link that cannot be followed',
  EACCES: 'may not be written',
  EPERM: 'may not be written',
  EROFS: 'may not be written',
  ENOSPC: 'cannot be written: there is no room left',
  EDQUOT: 'cannot be written: there is no room left',
  EISDIR: 'is a folder',
}

/** Says what happened in terms of the path that was asked for; system messages name absolute ones. */
function explain(error: unknown, path: string, reasons = REASONS): unknown {
  const { code } = error as { readonly code?: unknown }
  if (error instanceof FolderError || typeof code !== 'string') return error
  return new FolderError(
    `${quote(path)} ${reasons[code] ?? `cannot be ${reasons === REASONS ? 'read' : 'written'} (${code})`}.`,
    { isAbsent: code === 'ENOENT' },
  )
}

function quote(path: string): string {
  return JSON.stringify(clip(path === '' ? '.' : path, 200))
}
