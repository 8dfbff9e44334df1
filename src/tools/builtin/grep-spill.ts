import { z } from 'zod'
import { grepSpill, type SpillMatch } from '../../core/grep-spill.ts'
import { defineTool } from '../define-tool.ts'
import { fitting, PAGED_RESULT } from './answer-size.ts'
import { compileTextPattern } from './line-pattern.ts'
import { columnArgument, spillArgument } from './spill-argument.ts'
import { unknownSpill } from './spill-error.ts'

export interface FoundInSpill {
  readonly matches: readonly SpillMatch[]
  /** Also those that are not in `matches`. */
  readonly total: number
  /** Set when the search took too long: where to go on. */
  readonly nextFrom?: number
  readonly nextColumn?: number
}

const input = z.strictObject({
  spill: spillArgument,
  pattern: z
    .string()
    .min(1)
    .max(500)
    .describe('Regular expression, matched within single lines; (?i) in front ignores case.'),
  context: z.int().min(0).max(10).default(0).describe('Lines to show before and behind each match.'),
  from: z.int().min(1).default(1).describe('First line to search, from 1.'),
  column: columnArgument,
  limit: z.int().min(1).max(200).default(50).describe('How many matches to return; fewer if they are long.'),
})

/** What is found within this is returned, and the rest is left to another call. */
const SEARCH_MS = 20_000

/** `{ spill, pattern, context?, from?, column?, limit? } → { matches: [{ line, column, text }], total }`. */
export const grepSpillTool = defineTool({
  name: 'grep_spill',
  description:
    'Finds the lines that match a regular expression in a tool output that was too large and is kept as a spill. Of long lines it shows what is around the match; read_spill reads on from its line and column.',
  input,
  effect: 'read',
  timeoutMs: 3 * SEARCH_MS,
  result: PAGED_RESULT,
  run: async (args, { spills, signal }): Promise<FoundInSpill> => {
    const endsAt = performance.now() + SEARCH_MS
    const found = await grepSpill(spills, args.spill, {
      pattern: compileTextPattern(args.pattern),
      limit: args.limit,
      context: args.context,
      from: { line: args.from - 1, column: args.column - 1 },
      isOver: () => signal.aborted || performance.now() > endsAt,
    })
    signal.throwIfAborted()
    if (found === undefined) throw unknownSpill(args.spill)
    const { matches, total, next } = found
    return {
      matches: fitting(matches),
      total,
      ...(next === undefined ? {} : { nextFrom: next.line + 1, nextColumn: next.column + 1 }),
    }
  },
})
