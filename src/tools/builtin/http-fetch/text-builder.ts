/**
 * Text that is put together from pieces, with white space as a reader expects it: one space between words, at most one
 * blank line between blocks, none at either end.
 */
export class TextBuilder {
  readonly #pieces: string[] = []
  #length = 0
  /** Line ends to come before the next piece. */
  #breaks = 0
  #hasSpace = false
  /** Whether nothing has followed the last mark. */
  #isMarked = false
  #separator = ''

  /** Characters so far. */
  get length(): number {
    return this.#length
  }

  /** Adds words; white space around them counts as one space. */
  add(text: string): this {
    const words = text.replace(/\s+/g, ' ')
    const trimmed = words.trim()
    if (words.startsWith(' ')) this.#hasSpace = true
    if (trimmed !== '') {
      this.#flush()
      this.#push(trimmed)
      this.#hasSpace = words.endsWith(' ')
    }
    return this
  }

  /** Adds text with its own white space. */
  addVerbatim(text: string): this {
    if (text === '') return this
    this.#flush()
    this.#push(text)
    return this
  }

  /** The next piece begins a line, after a blank one if `breaks` is 2. What follows a mark stays on its line. */
  breakLine(breaks: 1 | 2): this {
    this.#hasSpace = false
    if (this.#isMarked) return this
    this.#breaks = Math.max(this.#breaks, breaks)
    this.#separator = ''
    return this
  }

  /** Begins what follows with a mark. */
  mark(text: string): this {
    this.#separator = text
    this.#isMarked = true
    this.#hasSpace = false
    return this
  }

  /** Takes a mark back that nothing has followed. */
  dropMark(): this {
    if (this.#isMarked) this.#separator = ''
    this.#isMarked = false
    return this
  }

  /** Puts `text` between what is on this line and what follows. */
  separate(text: string): this {
    if (this.#breaks === 0 && this.#length > 0) this.#separator = text
    return this
  }

  toString(): string {
    return this.#pieces.join('').trim()
  }

  #flush(): void {
    if (this.#length > 0) this.#push('\n'.repeat(this.#breaks))
    if (this.#separator !== '') this.#push(this.#separator)
    else if (this.#hasSpace && this.#breaks === 0 && this.#length > 0) this.#push(' ')
    this.#breaks = 0
    this.#hasSpace = false
    this.#separator = ''
    this.#isMarked = false
  }

  #push(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
  }
}
