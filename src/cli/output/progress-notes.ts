import type { StreamItem } from '../../client/index.ts'
import { Progress } from './progress.ts'

/** After so long a first line, then each time after twice as long. Milliseconds. */
const FIRST_MS = 15_000
const LONGEST_MS = 240_000

/** Tells what is at work, a line now and then, when nothing was to be seen for long. */
export class ProgressNotes {
  readonly #progress = new Progress()
  readonly #note: (line: string) => void
  #timer: NodeJS.Timeout | undefined

  constructor(note: (line: string) => void) {
    this.#note = note
  }

  take(item: StreamItem): void {
    this.#progress.take(item, Date.now())
    this.#tellAfter(FIRST_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #tellAfter(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const text = this.#progress.text(Date.now())
      if (text !== undefined) this.#note(`(${text})`)
      this.#tellAfter(Math.min(ms * 2, LONGEST_MS))
    }, ms)
    this.#timer.unref()
  }
}
