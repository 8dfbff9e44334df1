import { frameOf } from './sse-frame.ts'
import type { TailItem } from './tail-item.ts'

/**
 * One reader's place at a tail: what has come and was not taken yet, within a bound.
 *
 * 1. Events up to `after` are none of its business: it has them.
 * 2. It is in step once the tail has come as far as it is. Until then only events reach it; before it has joined,
 *    nothing does.
 */
export class TailReader {
  readonly #limitBytes: number
  readonly #onOverflow: () => void
  #after = Number.POSITIVE_INFINITY
  #isInStep = false
  #items: TailItem[] = []
  #bytes = 0
  #isOver = false
  #wake: (() => void) | undefined

  constructor(limitBytes: number, onOverflow: () => void) {
    this.#limitBytes = limitBytes
    this.#onOverflow = onOverflow
  }

  /** From now on it takes part. */
  join(after: number): void {
    this.#after = after
  }

  /** What is new at the tail. */
  push(item: TailItem): void {
    if (this.#isOver || !(this.#isInStep || isAfter(item, this.#after))) return
    this.#bytes += frameOf(item).byteLength
    if (this.#bytes > this.#limitBytes) {
      this.#items = []
      this.end()
      this.#onOverflow()
      return
    }
    this.#items.push(item)
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
    return items
  }

  /** Nothing comes any more; what has come may still be taken. */
  end(): void {
    this.#isOver = true
    this.#wake?.()
  }
}

function isAfter(item: TailItem, seq: number): boolean {
  return item.kind === 'event' && item.event.seq > seq
}
