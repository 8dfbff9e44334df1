import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { z } from 'zod'
import { TurnstepError } from '../../core/errors.ts'
import type { RiskLevel } from '../../core/event.ts'
import { defineTool, type Tool } from '../define-tool.ts'
import { FolderError, JailedFolder, type OpenedParent } from './jailed-folder.ts'

export interface WriteFileOptions {
  /** Nothing is written outside of this folder. */
  readonly root: string
  /** Of one file, in bytes of UTF-8. Default 1 MiB, at most 16 MiB. */
  readonly maxBytes?: number
  /** Default `high`. */
  readonly risk?: RiskLevel
}

interface WrittenFile {
  readonly path: string
  readonly bytes: number
  readonly lines: number
  /** For `expectedSha256` of the next call. */
  readonly sha256: string
}

const MAX_BYTES = 16 * 1024 * 1024
/** Larger files are approved without a diff. */
const MAX_PREVIEW_BYTES = 1024 * 1024
/** What makes a repository run programs: hooks, filters, settings. */
const GIT_FOLDER = '.git'

const input = z.strictObject({
  path: z.string().min(1).max(4096).describe('File to write, relative to the working folder.'),
  content: z.string().describe('The whole text of the file.'),
  mode: z
    .enum(['create', 'replace'])
    .default('create')
    .describe('create fails if there is such a file, replace if there is none.'),
  expectedSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('With replace: fails unless the file that is there has this SHA-256.'),
})

type Arguments = z.output<typeof input>

/**
 * `{ path, content, mode?, expectedSha256? } → { path, bytes, lines, sha256 }`. A file is there as a whole or not at
 * all, and a call that is repeated changes nothing more. Fails with `invalid-config` when there is no such folder.
 */
export function writeFile({ root, maxBytes = 1024 * 1024, risk = 'high' }: WriteFileOptions): Tool {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1 || maxBytes > MAX_BYTES)
    throw new TurnstepError(
      'invalid-config',
      `writeFile: maxBytes must be a whole number from 1 to ${MAX_BYTES}.`,
    )
  const folder = new JailedFolder(root)
  return defineTool({
    name: 'write_file',
    description:
      'Writes a text file in the working folder, as a whole. Folders that are missing are made. Read a file before you replace it.',
    input,
    effect: 'idempotent',
    risk,
    preview: async ({ path, content, mode }) => {
      if (content.length > MAX_PREVIEW_BYTES) return undefined
      const found = await textAt(folder, path)
      // A call that is going to fail changes nothing.
      if (found === 'unreadable' || (found === undefined) !== (mode === 'create')) return undefined
      return { path: folder.relativePath(path), before: found?.text ?? '', after: content }
    },
    run: async (args, { signal, requestId }): Promise<WrittenFile> => {
      const content = Buffer.from(args.content)
      if (content.length > maxBytes)
        throw new FolderError(`The content has ${content.length} bytes; at most ${maxBytes} are written.`)
      assertWritable(args.path)
      return folder.withParent(args.path, async (parent) => {
        assertWritable(parent.path)
        if (!(await isDone(parent, args, content))) await put(parent, { args, content, requestId, signal })
        return {
          path: parent.path,
          bytes: content.length,
          lines: countLines(args.content),
          sha256: digestOf(content),
        }
      })
    },
  })
}

/** The file that is there, if one is. */
async function textAt(
  folder: JailedFolder,
  path: string,
): Promise<{ readonly text: string } | 'unreadable' | undefined> {
  try {
    return await folder.withOpened(path, async (opened) => {
      if (opened.kind === 'folder' || opened.bytes > MAX_PREVIEW_BYTES) return 'unreadable'
      const content = await opened.handle.readFile()
      return isUtf8(content) && !content.includes(0) ? { text: content.toString() } : 'unreadable'
    })
  } catch (error) {
    if (error instanceof FolderError && error.isAbsent) return undefined
    throw error
  }
}

function assertWritable(path: string): void {
  const parts = path.toLowerCase().split(/[\\/]/)
  if (parts.includes(GIT_FOLDER))
    throw new FolderError(`${JSON.stringify(path)} belongs to Git, nothing is written there.`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\x00-\x1f\x7f]/.test(path)) throw new FolderError('A path cannot contain control characters.')
}

/**
 * Whether the file is what it is to become, as after an earlier attempt of the same call. Fails with
 * {@link FolderError} where the mode or the expectation forbids to go on.
 */
async function isDone(parent: OpenedParent, args: Arguments, content: Buffer): Promise<boolean> {
  const { path } = parent
  const found = await digestAt(parent)
  if (found === digestOf(content)) return true
  const quoted = JSON.stringify(path)
  if (args.mode === 'create') {
    if (found !== undefined) throw new FolderError(`${quoted} exists already. Read it, and use mode replace.`)
    return false
  }
  if (found === undefined) throw new FolderError(`${quoted} does not exist. Use mode create.`)
  if (args.expectedSha256 !== undefined && args.expectedSha256 !== found)
    throw new FolderError(
      `${quoted} is not what was expected, its SHA-256 is ${found}. Read it again before you replace it.`,
    )
  return false
}

/** SHA-256 of the file that is there; undefined if there is none. */
async function digestAt({ at, name, path }: OpenedParent): Promise<string | undefined> {
  const stat = await lstat(at(name)).catch(absent)
  if (stat === undefined) return undefined
  const quoted = JSON.stringify(path)
  if (stat.isSymbolicLink())
    throw new FolderError(`${quoted} is a symbolic link, which is not written through.`)
  if (!stat.isFile())
    throw new FolderError(`${quoted} is ${stat.isDirectory() ? 'a folder' : 'no regular file'}.`)
  const handle = await open(at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream('', { fd: handle, autoClose: false }))
      hash.update(chunk as Buffer)
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}

interface Put {
  readonly args: Arguments
  readonly content: Buffer
  readonly requestId: string
  readonly signal: AbortSignal
}

/** By way of a file beside it, which has the same name on each attempt, so that none is left behind for good. */
async function put(parent: OpenedParent, { args, content, requestId, signal }: Put): Promise<void> {
  const { at, name, path } = parent
  const beside = at(`.turnstep-${digestOf(requestId).slice(0, 16)}.tmp`)
  await rm(beside, { force: true })
  const mode = args.mode === 'replace' ? (await lstat(at(name))).mode & 0o777 : undefined
  const handle = await open(beside, NEW_FILE_FLAGS, 0o666)
  try {
    try {
      await fill(handle, content, mode)
    } finally {
      await handle.close()
    }
    signal.throwIfAborted()
    if (args.mode === 'replace') return await rename(beside, at(name))
    await publish(beside, at(name)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new FolderError(`${JSON.stringify(path)} exists already.`) : error
    })
  } finally {
    await rm(beside, { force: true })
  }
}

const NEW_FILE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

async function fill(handle: FileHandle, content: Buffer, mode: number | undefined): Promise<void> {
  await handle.writeFile(content)
  if (mode !== undefined) await handle.chmod(mode)
  await handle.sync()
}

const NO_HARD_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Gives a file its name unless that is taken: renaming would replace what somebody else has put there meanwhile. */
async function publish(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_HARD_LINKS.has((error as NodeJS.ErrnoException).code)) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** As `read_file` counts: the last line need not end. */
function countLines(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)
}
