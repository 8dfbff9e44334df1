/**
 * Searching a spill line by line, chunk after chunk: memory grows neither with the spill nor with a line of it.
 */
import { type LinePiece, LineSplitter } from './line-splitter.ts'
import { clip, headOf, tailOf } from './printable-text.ts'
import type { SpillReader } from './spill.ts'
import { TEXT_START, type TextPosition } from './text-position.ts'

/** A search pattern. Both take time linear in the text. */
export interface TextPattern {
  test(text: string): boolean
  /** The first match that begins at `from` or behind. */
  find(text: string, from: number): { readonly start: number; readonly end: number } | undefined
}

export interface SpillMatch {
  /** From 1. */
  readonly line: number
  /** Where the match begins in its line, from 1, in UTF-16 units. */
  readonly column: number
  /** The line, or what is around the match in a long one. */
  readonly text: string
  /** Lines before and behind, where they were asked for; the beginnings of long ones. */
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

export interface SpillMatches {
  /** In order. One a line; in a very long line each. */
  readonly matches: readonly SpillMatch[]
  /** Also those that are not in `matches`. */
  readonly total: number
  /** Set when the search was given up: where to go on. */
  readonly next?: TextPosition
}

export interface SpillSearch {
  readonly pattern: TextPattern
  readonly limit: number
  /** Lines to show before and behind each match. Default 0. */
  readonly context?: number
  /** Where the search begins. Default: the beginning. */
  readonly from?: TextPosition
  /** Asked between parts of a chunk: whether to give up. */
  readonly isOver?: () => boolean
  /** Awaited between them, so that a costly pattern does not stop everything else. */
  readonly pause?: () => Promise<void>
}

/** What is searched at one go, in UTF-16 units. */
const PART = 8 * 1024

/** What is shown of a line, in UTF-16 units. */
const SHOWN = 200

/** Undefined for a spill that the Session does not have. */
export async function grepSpill(
  spills: SpillReader,
  id: string,
  search: SpillSearch,
): Promise<SpillMatches | undefined> {
  if ((await spills.find(id)) === undefined) return undefined
  const found = new Findings(search)
  let chunk = await spills.chunk(id, { at: search.from ?? TEXT_START })
  if (chunk === undefined) return found.result()
  const lines = new LineSplitter(chunk.from)
  while (chunk !== undefined) {
    for (let at = 0; at < chunk.text.length; at += PART) {
      found.take(lines.push(chunk.text.slice(at, at + PART)))
      if (search.isOver?.() === true) return { ...found.result(), next: lines.at }
      await search.pause?.()
    }
    chunk = await spills.chunk(id, { position: chunk.position + 1 })
  }
  found.take(lines.end())
  return found.result()
}

interface OpenMatch extends SpillMatch {
  readonly after: string[]
}

class Findings {
  readonly #search: SpillSearch
  readonly #context: number
  readonly #from: TextPosition
  readonly #matches: (SpillMatch | OpenMatch)[] = []
  /** Matches that wait for lines behind them. */
  #open: OpenMatch[] = []
  #before: string[] = []
  #total = 0

  constructor(search: SpillSearch) {
    this.#search = search
    this.#context = search.context ?? 0
    this.#from = search.from ?? TEXT_START
  }

  take(pieces: readonly LinePiece[]): void {
    for (const piece of pieces) {
      if (piece.line < this.#from.line) continue
      if (piece.column === 0) this.#showBehind(piece)
      if (this.#search.pattern.test(piece.text)) this.#matchesIn(piece)
      if (piece.column === 0) this.#remember(piece)
    }
  }

  result(): SpillMatches {
    return { matches: this.#matches, total: this.#total }
  }

  #matchesIn(piece: LinePiece): void {
    const { pattern, limit } = this.#search
    const isWholeLine = piece.column === 0 && piece.endsLine
    let from = piece.line === this.#from.line ? Math.max(this.#from.column - piece.column, 0) : 0
    while (from <= piece.text.length) {
      const match = pattern.find(piece.text, from)
      if (match === undefined || (match.start >= piece.own && !piece.endsLine)) return
      this.#total += 1
      if (this.#matches.length < limit) this.#add(piece, match)
      if (isWholeLine || match.end === match.start) return
      from = match.end
    }
  }

  #add(piece: LinePiece, match: { readonly start: number; readonly end: number }): void {
    const shown = {
      line: piece.line + 1,
      column: piece.column + match.start + 1,
      text: around(piece.text, match.start),
    }
    if (this.#context === 0) {
      this.#matches.push(shown)
      return
    }
    const open = { ...shown, before: [...this.#before], after: [] }
    this.#matches.push(open)
    this.#open.push(open)
  }

  #showBehind(piece: LinePiece): void {
    if (this.#open.length === 0) return
    for (const { after } of this.#open) after.push(clip(piece.text, SHOWN))
    this.#open = this.#open.filter(({ after }) => after.length < this.#context)
  }

  #remember(piece: LinePiece): void {
    if (this.#context > 0) this.#before = [...this.#before, clip(piece.text, SHOWN)].slice(-this.#context)
  }
}

/** The text if it is short, else what is around a place in it. */
function around(text: string, place: number): string {
  if (text.length <= SHOWN) return text
  const from = Math.max(0, Math.min(place - SHOWN / 4, text.length - SHOWN))
  const part = tailOf(headOf(text, from + SHOWN), SHOWN)
  return `${from > 0 ? '…' : ''}${part}${from + SHOWN < text.length ? '…' : ''}`
}
