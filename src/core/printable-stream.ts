import { decidedLength, endsInHalfPair, removeSequences, replaceControls } from './printable-text.ts'

/**
 * `makePrintable` for text that comes in pieces: what `write` and `end` return, put together, is the same however
 * the text was cut. Holds back at most a few thousand characters.
 */
export class PrintableStream {
  /** Half a surrogate pair, or what may be the beginning of a terminal sequence. */
  #undecided = ''
  /** A carriage return of which it is not known whether a line feed follows. */
  #return = ''

  write(text: string): string {
    const given = this.#undecided + text
    const whole = endsInHalfPair(given) ? given.slice(0, -1) : given
    const decided = decidedLength(whole.toWellFormed())
    this.#undecided = given.slice(decided)
    return this.#pass(given.slice(0, decided))
  }

  end(): string {
    const rest = this.#pass(this.#undecided)
    const last = replaceControls(this.#return)
    this.#undecided = ''
    this.#return = ''
    return rest + last
  }

  #pass(text: string): string {
    const plain = this.#return + removeSequences(text.toWellFormed())
    this.#return = plain.endsWith('\r') ? '\r' : ''
    return replaceControls(this.#return === '' ? plain : plain.slice(0, -1))
  }
}
