import { headOf } from './printable-text.ts'
import type { SpillNote, SpillReader, SpillRecord } from './spill.ts'
import { advance, countLineFeeds, type TextPosition } from './text-position.ts'

export interface SpillPage extends SpillNote {
  /** As it is in the spill, line ends included. */
  readonly text: string
  /** Where to go on; absent at the end. */
  readonly next?: TextPosition
}

/** What is wanted of a spill: so many lines and so many UTF-16 units at most. */
export interface SpillPageQuery {
  readonly from: TextPosition
  readonly lines: number
  /** At least 2. */
  readonly characters: number
}

/**
 * Reads a part of a spill, loading no more chunks than it lies in. Undefined for one that the Session does not
 * have. A column beyond its line's end is the end of the line; a place beyond the end gives an empty page.
 */
export async function readSpill(
  spills: SpillReader,
  id: string,
  query: SpillPageQuery,
): Promise<SpillPage | undefined> {
  const record = await spills.find(id)
  return record && (await readPage(spills, record, query))
}

async function readPage(
  spills: SpillReader,
  { id, bytes, lines }: SpillRecord,
  query: SpillPageQuery,
): Promise<SpillPage> {
  const note = { id, bytes, lines }
  let chunk = await spills.chunk(id, { at: query.from })
  let offset = chunk && offsetIn(chunk.text, chunk.from, query.from)
  if (chunk === undefined || offset === undefined) return { ...note, text: '' }
  const start = advance(chunk.from, chunk.text.slice(0, offset))
  let text = ''
  while (chunk !== undefined) {
    const rest: string = chunk.text.slice(offset)
    const piece = beginningOf(rest, query.lines - countLineFeeds(text), query.characters - text.length)
    text += piece
    if (piece.length < rest.length) return { ...note, text: text.toWellFormed(), next: advance(start, text) }
    chunk = await spills.chunk(id, { position: chunk.position + 1 })
    offset = 0
  }
  return { ...note, text: text.toWellFormed() }
}

/** Where a place is in a text that begins at `from`; undefined when the text has no such line. */
function offsetIn(text: string, from: TextPosition, { line, column }: TextPosition): number | undefined {
  let start = 0
  for (let at = from.line; at < line; at += 1) {
    const end = text.indexOf('\n', start)
    if (end === -1) return undefined
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  const before = line === from.line ? from.column : 0
  return Math.min(start + Math.max(column - before, 0), end === -1 ? text.length : end)
}

function beginningOf(text: string, lines: number, characters: number): string {
  let end = 0
  for (let line = 0; line < lines; line += 1) {
    const at = text.indexOf('\n', end)
    if (at === -1 || at >= characters) return headOf(text, characters)
    end = at + 1
  }
  return text.slice(0, end)
}
