/**
 * The last row of a terminal's output: what stands in it and how wide that is.
 */

/** `column` is 0 to the terminal's columns, where the latter means that the row is full and the cursor still in it. */
export interface TerminalRow {
  readonly text: string
  readonly column: number
}

export const EMPTY_ROW: TerminalRow = { text: '', column: 0 }

const TAB_STOP = 8

/** Characters that take no column of their own: combining marks, joiners, variation selectors. */
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** Characters that take two: East Asian wide and full-width ones, and what is drawn as an emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u
const EMOJI = /^\p{Emoji_Presentation}$/u

/** The last row after more text on a terminal of that width. */
export function extendRow(row: TerminalRow, more: string, columns: number): TerminalRow {
  let { text, column } = row
  for (const character of more) {
    const width = character === '\t' ? tabWidth(column, columns) : widthOf(character)
    const isNew = character === '\n' || column + width > columns
    text = character === '\n' ? '' : isNew ? character : text + character
    column = character === '\n' ? 0 : isNew ? width : column + width
  }
  return { text, column }
}

/** A tab never leaves its row. */
function tabWidth(column: number, columns: number): number {
  return Math.min(TAB_STOP - (column % TAB_STOP), Math.max(columns - 1 - column, 0))
}

function widthOf(character: string): 0 | 1 | 2 {
  if (character < '\u0300') return 1
  if (ZERO.test(character)) return 0
  return WIDE.test(character) || EMOJI.test(character) ? 2 : 1
}

/** How many rows below its first one a text ends that begins in column 0, as Node's readline places its cursor. */
export function rowsBelow(text: string, columns: number): number {
  let width = 0
  for (const character of text)
    width += character === '\t' ? TAB_STOP - (width % TAB_STOP) : widthOf(character)
  return Math.floor(width / columns)
}
