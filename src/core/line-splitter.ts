import { advance, type TextPosition } from './text-position.ts'

/** A line without its end, or a part of a very long one. */
export interface LinePiece {
  /** From 0. */
  readonly line: number
  /** Where the piece begins in its line, from 0. */
  readonly column: number
  readonly text: string
  /** How much of `text` is in no other piece: what follows is the beginning of the next, so that no word is torn. */
  readonly own: number
  readonly endsLine: boolean
}

/** Lines above this come in pieces, in UTF-16 units. */
const LONGEST_LINE = 64 * 1024
const OVERLAP = 4 * 1024

/** Cuts a text that comes in pieces into lines, and very long lines into overlapping parts. */
export class LineSplitter {
  #at: TextPosition
  #rest = ''

  /** `from` is where the text begins. */
  constructor(from: TextPosition) {
    this.#at = from
  }

  /** Where what has not been handed out yet begins. */
  get at(): TextPosition {
    return this.#at
  }

  push(text: string): readonly LinePiece[] {
    const held = this.#rest + text
    const pieces: LinePiece[] = []
    let start = 0
    for (let end = held.indexOf('\n'); end !== -1; end = held.indexOf('\n', start)) {
      this.#cut(held.slice(start, end), true, pieces)
      this.#at = { line: this.#at.line + 1, column: 0 }
      start = end + 1
    }
    this.#rest = this.#cut(held.slice(start), false, pieces)
    return pieces
  }

  /** The last line, if it has no line feed. */
  end(): readonly LinePiece[] {
    const pieces: LinePiece[] = []
    if (this.#rest !== '') this.#cut(this.#rest, true, pieces)
    this.#at = advance(this.#at, this.#rest)
    this.#rest = ''
    return pieces
  }

  /** Hands out what is decided of a line, and returns what is not. */
  #cut(text: string, endsLine: boolean, pieces: LinePiece[]): string {
    let rest = text
    while (rest.length > LONGEST_LINE + OVERLAP) {
      const part = rest.slice(0, LONGEST_LINE + OVERLAP)
      pieces.push({ ...this.#at, text: part, own: LONGEST_LINE, endsLine: false })
      this.#at = { line: this.#at.line, column: this.#at.column + LONGEST_LINE }
      rest = rest.slice(LONGEST_LINE)
    }
    if (!endsLine) return rest
    const line = rest.endsWith('\r') ? rest.slice(0, -1) : rest
    pieces.push({ ...this.#at, text: line, own: line.length, endsLine: true })
    return ''
  }
}
