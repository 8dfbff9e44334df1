import { z } from 'zod'
import { headOf } from '../../core/printable-text.ts'
import { readSpill, type SpillPage } from '../../core/read-spill.ts'
import { advance } from '../../core/text-position.ts'
import { defineTool } from '../define-tool.ts'
import { ANSWER_CHARACTERS, PAGED_RESULT } from './answer-size.ts'
import { columnArgument, spillArgument } from './spill-argument.ts'
import { SpillError, unknownSpill } from './spill-error.ts'

export interface SpillText {
  readonly totalLines: number
  /** Number of the first line of `text`. */
  readonly from: number
  readonly text: string
  /** Where to go on; absent at the end of the spill. */
  readonly nextFrom?: number
  /** Set when the next line has been read in part. */
  readonly nextColumn?: number
}

const input = z.strictObject({
  spill: spillArgument,
  from: z.int().min(1).default(1).describe('First line, from 1.'),
  column: columnArgument,
  lines: z
    .int()
    .min(1)
    .max(2000)
    .default(200)
    .describe('How many lines; fewer are returned if they are long.'),
})

/** `{ spill, from?, column?, lines? } → { totalLines, from, text }`, with `nextFrom` while there is more. */
export const readSpillTool = defineTool({
  name: 'read_spill',
  description:
    'Reads lines of a tool output that was too large and is kept as a spill. nextFrom and nextColumn in the answer say where to go on reading.',
  whenNotToUse: 'To find where something is; use grep_spill.',
  input,
  effect: 'read',
  result: PAGED_RESULT,
  run: async (args, { spills }) => {
    const from = { line: args.from - 1, column: args.column - 1 }
    const page = await readSpill(spills, args.spill, {
      from,
      lines: args.lines,
      characters: ANSWER_CHARACTERS,
    })
    if (page === undefined) throw unknownSpill(args.spill)
    if (args.from > page.lines)
      throw new SpillError(`The spill has ${page.lines} lines.`, 'Begin at one of them.')
    return answer(page, from)
  },
})

function answer(page: SpillPage, from: { readonly line: number; readonly column: number }): SpillText {
  const shown = fittingText(page.text)
  const isCut = shown.length < page.text.length
  const next = isCut || page.next !== undefined ? advance(from, shown) : undefined
  return {
    totalLines: page.lines,
    from: from.line + 1,
    text: shown.endsWith('\n') ? shown.slice(0, -1) : shown,
    ...(next === undefined ? {} : { nextFrom: next.line + 1 }),
    ...(next === undefined || next.column === 0 ? {} : { nextColumn: next.column + 1 }),
  }
}

/** The beginning that fits into one answer as JSON, in which quotes and line ends take twice their size. */
function fittingText(text: string): string {
  let shown = text
  while (JSON.stringify(shown).length > ANSWER_CHARACTERS) {
    const excess = JSON.stringify(shown).length - ANSWER_CHARACTERS
    shown = headOf(shown, shown.length - Math.ceil(excess / 2))
  }
  return shown
}
