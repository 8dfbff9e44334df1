import { z } from 'zod'
import { headOf } from '../../core/printable-text.ts'
import { defineTool, type Tool } from '../define-tool.ts'
import { ANSWER_CHARACTERS, PAGED_RESULT } from './answer-size.ts'
import { FolderError, type JailedFolder } from './jailed-folder.ts'
import { type ScannedFile, scanLines } from './scan-lines.ts'

export interface FileText {
  readonly path: string
  readonly totalLines: number
  /** Number of the first line of `text`. */
  readonly from: number
  readonly text: string
  /** Where to go on; absent at the end of the file. */
  readonly nextFrom?: number
}

const input = z.strictObject({
  path: z.string().max(4096).describe('File to read, relative to the working folder.'),
  from: z.int().min(1).default(1).describe('First line, from 1.'),
  lines: z
    .int()
    .min(1)
    .max(2000)
    .default(400)
    .describe('How many lines; fewer are returned if they are long.'),
})

/** `{ path, from?, lines? } → { path, totalLines, from, text }`, with `nextFrom` while there is more. */
export function readFileTool(folder: JailedFolder): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads lines of a text file in the working folder. nextFrom in the answer says where to go on reading.',
    whenNotToUse: 'To find where something is; use grep. To count lines; list_files does.',
    input,
    effect: 'read',
    result: PAGED_RESULT,
    run: (args, { signal }) => readFile(folder, args, signal),
  })
}

async function readFile(
  folder: JailedFolder,
  args: z.output<typeof input>,
  signal: AbortSignal,
): Promise<FileText> {
  const path = folder.relativePath(args.path)
  return folder.withOpened(path, async (opened) => {
    if (opened.kind === 'folder') throw new FolderError(`${JSON.stringify(args.path)} is a folder.`)
    const { page, totalLines } = await readPage(opened, args, signal)
    if (totalLines === 'binary')
      throw new FolderError(`${JSON.stringify(args.path)} is a binary file of ${opened.bytes} bytes.`)
    const next = args.from + page.length
    return {
      path,
      totalLines,
      from: args.from,
      text: page.join('\n'),
      ...(next <= totalLines ? { nextFrom: next } : {}),
    }
  })
}

async function readPage(
  file: ScannedFile,
  args: { readonly from: number; readonly lines: number },
  signal: AbortSignal,
) {
  const page: string[] = []
  let room = ANSWER_CHARACTERS
  const totalLines = await scanLines(
    file,
    (line, number) => {
      if (number !== args.from + page.length || page.length === args.lines || room <= 0) return
      const size = JSON.stringify(line).length
      if (size <= room) page.push(line)
      else if (page.length === 0)
        page.push(`${headOf(line, ANSWER_CHARACTERS / 2)} [… the rest of this line is left out]`)
      room -= size
    },
    signal,
  )
  return { page, totalLines }
}
