import { z } from 'zod'
import { defineTool, type Tool } from '../define-tool.ts'
import { fitting, PAGED_RESULT } from './answer-size.ts'
import { acceptsExtension } from './file-filter.ts'
import { mapInOrder } from './in-order.ts'
import { FolderError, type JailedFolder } from './jailed-folder.ts'
import { countLines } from './scan-lines.ts'
import { byUnits, walkFiles } from './walk-files.ts'

interface ListedFile {
  readonly path: string
  readonly bytes: number
  /** 0 for binary files. */
  readonly lines: number
}

export interface FileList {
  readonly files: readonly ListedFile[]
  /** Files that were found. */
  readonly total: number
  /** How many of them are not in `files`. */
  readonly omitted: number
  /** Set when the folder is too large to be walked to its end: `total` is only what was found until then. */
  readonly incomplete?: true
}

const input = z.strictObject({
  path: z.string().max(4096).default('.').describe('Folder to list, relative to the working folder.'),
  extension: z
    .string()
    .max(32)
    .optional()
    .describe('Only files with this extension, such as ts; tsx is another one.'),
  sort: z.enum(['name', 'lines', 'bytes']).default('name').describe('lines and bytes put the largest first.'),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe('How many files to return; fewer if their paths are long.'),
})

/** `{ path?, extension?, sort?, limit? } → { files: [{ path, bytes, lines }], total, omitted }`. */
export function listFilesTool(folder: JailedFolder): Tool {
  return defineTool({
    name: 'list_files',
    description:
      'Lists the files of the working folder and its subfolders with their sizes in bytes and lines. Left out are symbolic links, node_modules, version control and build output (dist, build, out, coverage), and what .gitignore names; such a folder is listed if path names it.',
    input,
    effect: 'read',
    result: PAGED_RESULT,
    run: (args, { signal }) => listFiles(folder, args, signal),
  })
}

async function listFiles(
  folder: JailedFolder,
  args: z.output<typeof input>,
  signal: AbortSignal,
): Promise<FileList> {
  const { path, extension, sort, limit } = args
  const walk = await walkFiles(folder, { path, accepts: acceptsExtension(extension), signal })
  // By name the first ones are known; otherwise every file has to be measured to know the largest.
  const candidates = sort === 'name' ? walk.files.slice(0, limit) : walk.files
  const measured = await mapInOrder(candidates, 8, (file) => measure(folder, file, signal))
  const files = measured.filter((file) => file !== undefined)
  if (sort !== 'name') files.sort((a, b) => b[sort] - a[sort] || byUnits(a.path, b.path))
  const shown = fitting(files.slice(0, limit))
  const total = walk.files.length
  return {
    files: shown,
    total,
    omitted: total - shown.length,
    ...(walk.isComplete ? {} : { incomplete: true }),
  }
}

/** Undefined for a file that has vanished or may not be read. */
async function measure(
  folder: JailedFolder,
  path: string,
  signal: AbortSignal,
): Promise<ListedFile | undefined> {
  try {
    return await folder.withOpened(path, async (opened) => {
      if (opened.kind !== 'file') return undefined
      const lines = await countLines(opened, signal)
      return { path, bytes: opened.bytes, lines: lines === 'binary' ? 0 : lines }
    })
  } catch (error) {
    if (error instanceof FolderError) return undefined
    throw error
  }
}
