/**
 * A text of any length as a model gets it: whole while it is short, else its beginning and its end.
 *
 * Invariants: memory does not grow with the text; cutting it into pieces differently changes nothing; what comes
 * out of well-formed text is well formed.
 */
import { endsInHalfPair, headOf, tailOf, utf8Bytes } from './printable-text.ts'
import { countLineFeeds } from './text-position.ts'

/** What a model gets of one result, unless its tool says otherwise. */
export const DEFAULT_MAX_CHARACTERS = 4_000

/** A lower limit leaves too little to read. */
export const SMALLEST_MAX_CHARACTERS = 200

/** Of the text, for each of head and tail. */
const SHARE = 0.2
/** Of the limit, for each of head and tail: 1,500 of 4,000. */
const LARGEST_SHARE = 0.375

export interface TextSize {
  /** UTF-16 units. */
  readonly characters: number
  /** In UTF-8. */
  readonly bytes: number
  /** A last line without a line feed counts. */
  readonly lines: number
}

export type BoundedText =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'cut'; readonly head: string; readonly tail: string; readonly omitted: number }

export class BoundText {
  readonly #limit: number
  readonly #longestEnd: number
  #head = ''
  #tail = ''
  /** Half a surrogate pair that waits for the other half. */
  #half = ''
  #characters = 0
  #bytes = 0
  #lineFeeds = 0
  #endsLine = true

  /** The limit is in UTF-16 units, at least {@link SMALLEST_MAX_CHARACTERS}. */
  constructor(maxCharacters = DEFAULT_MAX_CHARACTERS) {
    this.#limit = Math.max(maxCharacters, SMALLEST_MAX_CHARACTERS)
    this.#longestEnd = Math.floor(this.#limit * LARGEST_SHARE)
  }

  add(piece: string): void {
    const text = this.#half + piece
    const isHalf = endsInHalfPair(text)
    this.#half = isHalf ? text.slice(-1) : ''
    this.#take((isHalf ? text.slice(0, -1) : text).toWellFormed())
  }

  /** Of what was added so far; half a surrogate pair at its end counts once it is whole. */
  get size(): TextSize {
    const lines = this.#lineFeeds + (this.#endsLine ? 0 : 1)
    return { characters: this.#characters, bytes: this.#bytes, lines }
  }

  /** What was added so far, bounded. Half a surrogate pair at its end becomes U+FFFD. */
  bounded(): BoundedText {
    this.#take(this.#half.toWellFormed())
    this.#half = ''
    if (this.#characters <= this.#limit) return { kind: 'whole', text: this.#head }
    const end = Math.min(this.#longestEnd, Math.floor(this.#characters * SHARE))
    const head = headOf(this.#head, end)
    const tail = tailOf(this.#tail, end)
    return { kind: 'cut', head, tail, omitted: this.#characters - head.length - tail.length }
  }

  #take(text: string): void {
    if (text === '') return
    if (this.#head.length < this.#limit) this.#head += text.slice(0, this.#limit - this.#head.length)
    this.#tail += text.length > this.#longestEnd ? text.slice(-this.#longestEnd - 1) : text
    if (this.#tail.length > 4 * this.#longestEnd) this.#tail = this.#tail.slice(-this.#longestEnd - 1)
    this.#characters += text.length
    this.#bytes += utf8Bytes(text)
    this.#lineFeeds += countLineFeeds(text)
    this.#endsLine = text.endsWith('\n')
  }
}

/** Stands between head and tail. */
export function omissionNote(omitted: number): string {
  return `\n[… ${omitted} characters omitted …]\n`
}

/** The text as the model reads it. */
export function boundedText(bounded: BoundedText): string {
  return bounded.kind === 'whole' ? bounded.text : bounded.head + omissionNote(bounded.omitted) + bounded.tail
}

/** All of a text that is at hand, bounded. */
export function boundText(text: string, maxCharacters?: number): string {
  const bound = new BoundText(maxCharacters)
  bound.add(text)
  return boundedText(bound.bounded())
}
