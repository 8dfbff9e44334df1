import { z } from 'zod'
import { clip } from '../../core/printable-text.ts'
import { defineTool, type Tool } from '../define-tool.ts'
import { fitting, PAGED_RESULT } from './answer-size.ts'
import { acceptsExtension } from './file-filter.ts'
import { mapInOrder } from './in-order.ts'
import { FolderError, type JailedFolder } from './jailed-folder.ts'
import { compileLinePattern } from './line-pattern.ts'
import { scanLines } from './scan-lines.ts'
import { walkFiles } from './walk-files.ts'

interface FoundLine {
  readonly path: string
  readonly line: number
  readonly text: string
}

export interface FoundLines {
  /** In order of path and line. */
  readonly matches: readonly FoundLine[]
  /** Matching lines, also those that are not in `matches`. */
  readonly total: number
  /** Set when the folder is too large to be searched to its end. */
  readonly incomplete?: true
}

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(500)
    .describe('Regular expression, matched within single lines; (?i) in front ignores case.'),
  path: z
    .string()
    .max(4096)
    .default('.')
    .describe('File or folder to search, relative to the working folder.'),
  extension: z.string().max(32).optional().describe('Only files with this extension, such as ts.'),
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe('How many matching lines to return; fewer if they are long.'),
})

/** What is shown of a matching line. */
const TEXT_LENGTH = 200

/** `{ pattern, path?, extension?, limit? } → { matches: [{ path, line, text }], total }`. */
export function grepTool(folder: JailedFolder): Tool {
  return defineTool({
    name: 'grep',
    description:
      'Finds the lines that match a regular expression in the text files of the working folder. Leaves out what list_files leaves out, and binary files.',
    input,
    effect: 'read',
    result: PAGED_RESULT,
    run: (args, { signal }) => grep(folder, args, signal),
  })
}

async function grep(
  folder: JailedFolder,
  args: z.output<typeof input>,
  signal: AbortSignal,
): Promise<FoundLines> {
  const matches = compileLinePattern(args.pattern)
  const walk = await walkFiles(folder, { path: args.path, accepts: acceptsExtension(args.extension), signal })
  const found: FoundLine[] = []
  let total = 0
  const search = (path: string) => searchFile(folder, { path, matches, limit: args.limit }, signal)
  for (let start = 0; start < walk.files.length; start += BATCH) {
    // A batch at a time, so that what the files of a large folder match is never held at once.
    for (const file of await mapInOrder(walk.files.slice(start, start + BATCH), BATCH, search)) {
      found.push(...file.lines.slice(0, args.limit - found.length))
      total += file.total
    }
  }
  return { matches: fitting(found), total, ...(walk.isComplete ? {} : { incomplete: true }) }
}

const BATCH = 8

interface Search {
  readonly path: string
  readonly matches: (line: string) => boolean
  readonly limit: number
}

async function searchFile(folder: JailedFolder, { path, matches, limit }: Search, signal: AbortSignal) {
  const lines: FoundLine[] = []
  let total = 0
  const visit = (text: string, line: number) => {
    if (!matches(text)) return
    total += 1
    if (lines.length < limit) lines.push({ path, line, text: clip(text, TEXT_LENGTH) })
  }
  try {
    await folder.withOpened(path, async (opened) => {
      if (opened.kind === 'file') await scanLines(opened, visit, signal)
    })
  } catch (error) {
    // Vanished or may not be read: nothing is found in it.
    if (!(error instanceof FolderError)) throw error
  }
  return { lines, total }
}
