/**
 * Places in a long text, by line and column.
 */

/** `line` and `column` count from 0; columns are UTF-16 units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

export const TEXT_START: TextPosition = { line: 0, column: 0 }

/** The place behind `text` when it begins at `from`. Lines end with a line feed. */
export function advance(from: TextPosition, text: string): TextPosition {
  const last = text.lastIndexOf('\n')
  if (last === -1) return { line: from.line, column: from.column + text.length }
  return { line: from.line + countLineFeeds(text), column: text.length - last - 1 }
}

export function countLineFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
