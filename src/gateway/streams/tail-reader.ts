import { frameOf } from './sse-frame.ts'
import type { TailItem } from './tail-item.ts'

export interface TailReaderOptions {
  /** What a reader may leave untaken for a moment; of the eightfold, not even that. */
  readonly limitBytes: number
  /** Called once when the reader is too far behind. */
  readonly onOverflow: () => void
}

/** How long a reader may be behind by more than its limit. */
const MOMENT_MS = 1_000

/** A reader that is well takes everything before so much comes together. */
const HARD_FACTOR = 8

/**
 * One reader's place at a tail: what has come and was not taken yet, within a bound.
 *
 * 1. Events up to `after` are none of its business: it has them.
 * 2. It is in step once the tail has come as far as it is. Until then only events reach it; before it has joined,
 *    nothing does.
 */
export class TailReader {
  readonly #options: TailReaderOptions
  #after = Number.POSITIVE_INFINITY
  #isInStep = false
  #items: TailItem[] = []
  #bytes = 0
  #behindSince: number | undefined
  #isOver = false
  #wake: (() => void) | undefined

  constructor(options: TailReaderOptions) {
    this.#options = options
  }

  /** Whether it has left more than its limit untaken, however large a single item is. */
  get isBehind(): boolean {
    return this.#bytes > this.#options.limitBytes
  }

  /** From now on it takes part. */
  join(after: number): void {
    this.#after = after
  }

  /** What is new at the tail. */
  push(item: TailItem): void {
    if (this.#isOver || !(this.#isInStep || isAfter(item, this.#after))) return
    if (this.#isTooFarBehind()) {
      this.#items = []
      this.end()
      this.#options.onOverflow()
      return
    }
    this.#items.push(item)
    this.#bytes += frameOf(item).byteLength
    this.#wake?.()
  }

  /** The tail is at `seq`: a reader that is no further is given what there is beside the log. */
  fallInStep(seq: number, present: () => readonly TailItem[]): void {
    if (this.#isInStep || seq < this.#after) return
    this.#isInStep = true
    // What everybody has been shown of a message is no sign of a slow reader.
    this.#items.push(...present())
    this.#wake?.()
  }

  /** Everything that has come, once something has; undefined when nothing will any more. */
  async take(): Promise<readonly TailItem[] | undefined> {
    if (this.#items.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    this.#wake = undefined
    if (this.#items.length === 0) return undefined
    const items = this.#items
    this.#items = []
    this.#bytes = 0
    this.#behindSince = undefined
    return items
  }

  /** Nothing comes any more; what has come may still be taken. */
  end(): void {
    this.#isOver = true
    this.#wake?.()
  }

  #isTooFarBehind(): boolean {
    if (!this.isBehind) return false
    const now = performance.now()
    this.#behindSince ??= now
    return now - this.#behindSince > MOMENT_MS || this.#bytes > HARD_FACTOR * this.#options.limitBytes
  }
}

function isAfter(item: TailItem, seq: number): boolean {
  return item.kind === 'event' && item.event.seq > seq
}
