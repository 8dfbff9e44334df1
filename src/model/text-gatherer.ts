/**
 * Gathers streamed text. A surrogate pair that a server cut in two is passed on whole.
 */
export class TextGatherer {
  readonly #pieces: string[] = []
  readonly #onText: (text: string) => void
  #half = ''

  constructor(onText: (text: string) => void) {
    this.#onText = onText
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#half === ''
  }

  add(piece: string): void {
    if (piece === '') return
    const text = this.#half + piece
    const last = text.charCodeAt(text.length - 1)
    const endsInHalf = last >= 0xd800 && last <= 0xdbff
    this.#half = endsInHalf ? text.slice(-1) : ''
    this.#emit(endsInHalf ? text.slice(0, -1) : text)
  }

  /** The whole text, as valid Unicode. */
  finish(): string {
    this.#emit(this.#half)
    this.#half = ''
    return this.#pieces.join('')
  }

  #emit(text: string): void {
    if (text === '') return
    const valid = text.toWellFormed()
    this.#pieces.push(valid)
    this.#onText(valid)
  }
}
