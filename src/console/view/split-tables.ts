/**
 * Tables in a model's Markdown: rows of cells between pipes, with a line of dashes below the first.
 */
import { fenceAfter } from './markdown-blocks.ts'

export type Align = 'left' | 'center' | 'right'

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly align: readonly (Align | undefined)[]
      /** Each as long as `head`. */
      readonly rows: readonly (readonly string[])[]
    }

/** Larger tables are left as text: each cell is laid out by itself. */
const MAX_CELLS = 600

/** The text in order, its tables apart. What stands in fenced code is no table. */
export function splitTables(text: string): readonly Segment[] {
  const lines = text.split('\n')
  const segments: Segment[] = []
  let rest: string[] = []
  let fence: string | undefined
  const flush = (): void => {
    if (rest.join('').trim() !== '') segments.push({ kind: 'text', text: rest.join('\n') })
    rest = []
  }
  for (let at = 0; at < lines.length; ) {
    const found = fence === undefined ? tableAt(lines, at) : undefined
    if (found === undefined) {
      const line = lines[at] ?? ''
      fence = fenceAfter(fence, line)
      rest.push(line)
      at += 1
    } else {
      flush()
      segments.push(found.table)
      at += found.lines
    }
  }
  flush()
  return segments
}

function tableAt(
  lines: readonly string[],
  at: number,
): { readonly table: Segment; readonly lines: number } | undefined {
  const head = cellsOf(lines[at] ?? '')
  const align = alignOf(lines[at + 1] ?? '')
  if (head === undefined || align?.length !== head.length) return undefined
  const rows: string[][] = []
  for (;;) {
    const row = cellsOf(lines[at + 2 + rows.length] ?? '')
    if (row === undefined) break
    rows.push(head.map((_, index) => row[index] ?? ''))
    if ((rows.length + 1) * head.length > MAX_CELLS) return undefined
  }
  return { table: { kind: 'table', head, align, rows }, lines: rows.length + 2 }
}

/** Undefined for a line that is no row. A pipe behind a backslash is part of its cell. */
function cellsOf(line: string): string[] | undefined {
  if (!line.includes('|') || /^(?: {4}|\t)/.test(line)) return undefined
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function alignOf(line: string): (Align | undefined)[] | undefined {
  const cells = cellsOf(line)
  if (cells?.every((cell) => /^:?-+:?$/.test(cell)) !== true) return undefined
  return cells.map((cell) => {
    if (cell.startsWith(':')) return cell.endsWith(':') ? 'center' : 'left'
    return cell.endsWith(':') ? 'right' : undefined
  })
}
