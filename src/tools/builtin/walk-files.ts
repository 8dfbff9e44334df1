/**
 * The files below a path of a jailed folder, as listings and searches see them.
 */
import { type IgnoreFile, isIgnored, parseIgnoreFile, SKIPPED_FOLDERS } from './ignore-rules.ts'
import type { JailedFolder, Opened } from './jailed-folder.ts'

/** Bounds of one walk, so that a folder of any size costs a bounded amount of memory and time. */
export interface WalkLimits {
  readonly files: number
  readonly folders: number
  /** Levels below the root; what is deeper is left out. */
  readonly depth: number
}

const WALK_LIMITS: WalkLimits = { files: 50_000, folders: 20_000, depth: 64 }

const IGNORE_FILE_BYTES = 64 * 1024

export interface Walk {
  /** Relative paths in order of their UTF-16 units. */
  readonly files: readonly string[]
  /** False when a bound was reached: there may be more. */
  readonly isComplete: boolean
}

export interface WalkQuery {
  /** A folder, or one file, which is then the only one found. */
  readonly path: string
  readonly accepts: (path: string) => boolean
  readonly signal: AbortSignal
  readonly limits?: WalkLimits
}

/**
 * Finds regular files, leaving out links, `SKIPPED_FOLDERS` and what `.gitignore` files name; a path that is asked
 * for by name is walked even if a listing of its parent would leave it out. Folders that vanish or may not be
 * read are passed over, the one that was asked for excepted.
 */
export async function walkFiles(folder: JailedFolder, query: WalkQuery): Promise<Walk> {
  const start = folder.relativePath(query.path)
  const segments = start === '' ? [] : start.split('/')
  const walker = new Walker(folder, query)
  const kind = await folder.withOpened(start, async (opened) => opened.kind)
  if (kind === 'file') return { files: [start], isComplete: true }
  const outer = await walker.ignoreFilesAbove(segments)
  await folder.withOpened(start, (opened) => walker.visit(opened, segments, outer))
  return { files: walker.files.sort(byUnits), isComplete: walker.isComplete }
}

/** Order by UTF-16 units, the same on every machine. */
export function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

class Walker {
  readonly files: string[] = []
  isComplete = true
  readonly #folder: JailedFolder
  readonly #query: WalkQuery
  readonly #limits: WalkLimits
  #folders = 0

  constructor(folder: JailedFolder, query: WalkQuery) {
    this.#folder = folder
    this.#query = query
    this.#limits = query.limits ?? WALK_LIMITS
  }

  async ignoreFilesAbove(segments: readonly string[]): Promise<readonly IgnoreFile[]> {
    const files: IgnoreFile[] = []
    for (let depth = 0; depth < segments.length; depth += 1)
      files.push(...(await this.#ignoreFileIn(segments.slice(0, depth))))
    return files
  }

  async visit(opened: Opened, segments: readonly string[], outer: readonly IgnoreFile[]): Promise<void> {
    if (opened.kind !== 'folder' || !this.#admits(segments)) return
    const entries = await this.#folder.entries(segments.join('/'), opened.handle)
    const hasIgnoreFile = entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file')
    const ignoreFiles = hasIgnoreFile ? [...outer, ...(await this.#ignoreFileIn(segments))] : outer
    const inner: (readonly string[])[] = []
    for (const { name, kind } of entries) {
      const path = [...segments, name]
      if ((kind === 'folder' && SKIPPED_FOLDERS.has(name)) || isIgnored(ignoreFiles, path, kind === 'folder'))
        continue
      if (kind === 'folder') inner.push(path)
      else this.#find(path.join('/'))
    }
    for (const path of inner) await this.#descend(path, ignoreFiles)
  }

  async #descend(path: readonly string[], ignoreFiles: readonly IgnoreFile[]): Promise<void> {
    try {
      await this.#folder.withOpened(path.join('/'), (opened) => this.visit(opened, path, ignoreFiles))
    } catch {
      // Vanished, unreadable, or a link by now. An abort shows at the next folder, or in the caller.
      this.#query.signal.throwIfAborted()
    }
  }

  #admits(segments: readonly string[]): boolean {
    this.#query.signal.throwIfAborted()
    this.#folders += 1
    const isWithin = this.#folders <= this.#limits.folders && segments.length <= this.#limits.depth
    if (!isWithin) this.isComplete = false
    return isWithin
  }

  #find(path: string): void {
    if (!this.#query.accepts(path)) return
    if (this.files.length < this.#limits.files) this.files.push(path)
    else this.isComplete = false
  }

  async #ignoreFileIn(segments: readonly string[]): Promise<readonly IgnoreFile[]> {
    try {
      const text = await this.#folder.withOpened([...segments, '.gitignore'].join('/'), readBeginning)
      return [parseIgnoreFile(text, segments)]
    } catch {
      return []
    }
  }
}

async function readBeginning(opened: Opened): Promise<string> {
  if (opened.kind !== 'file') return ''
  const length = Math.min(opened.bytes, IGNORE_FILE_BYTES)
  const { buffer, bytesRead } = await opened.handle.read(Buffer.alloc(length), 0, length, 0)
  return buffer.toString('utf8', 0, bytesRead)
}
