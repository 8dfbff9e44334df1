/**
 * One tail for each Session that has readers.
 */
import type { Session } from '../../client/index.ts'
import { SessionTail } from './session-tail.ts'
import type { TailItem } from './tail-item.ts'
import { TailReader } from './tail-reader.ts'

export interface FollowTailOptions {
  readonly tenant: string
  /** The last event that the reader has; 0 for none. */
  readonly after: number
  readonly signal: AbortSignal
  /** Called when the reader is too far behind: whoever writes to it cuts it. */
  readonly onOverflow: () => void
}

const PAGE = 200

export class Tails {
  readonly #tails = new Map<string, SessionTail>()
  readonly #readerBytes: number

  constructor(readerBytes: number) {
    this.#readerBytes = readerBytes
  }

  /** How many readers there are, of all Sessions. */
  get readers(): number {
    return [...this.#tails.values()].reduce((sum, tail) => sum + tail.readers, 0)
  }

  /**
   * Everything after an event, each once and in order, as it comes: first what the log has, then what is new, with
   * live text and changes of phase. A reader that joins in the middle of a message is given what was shown of it. Ends
   * by its signal, with the gateway, and when the store fails: whoever comes again with its last `seq` misses nothing.
   */
  async *follow(session: Session, options: FollowTailOptions): AsyncGenerator<readonly TailItem[]> {
    const { tenant, signal, onOverflow } = options
    const tail = this.#tailOf(tenant, session)
    const reader = new TailReader({ limitBytes: this.#readerBytes, onOverflow })
    const leave = (): void => this.#leave(tail, reader)
    tail.add(reader)
    signal.addEventListener('abort', leave)
    try {
      await tail.ready
      let after = options.after
      while (after < tail.seq && !signal.aborted) {
        const events = await session.page({ after, limit: PAGE })
        yield events.map((event) => ({ kind: 'event' as const, event }))
        after = events.at(-1)?.seq ?? tail.seq
      }
      tail.join(reader, after)
      for (;;) {
        const items = signal.aborted ? undefined : await reader.take()
        if (items === undefined) return
        yield items
      }
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  /** Ends all tails, and so all readers. */
  close(): void {
    for (const tail of this.#tails.values()) tail.stop()
  }

  #tailOf(tenant: string, session: Session): SessionTail {
    const key = `${tenant}:${session.id}`
    let tail = this.#tails.get(key)
    if (tail === undefined) {
      const made = new SessionTail(session)
      this.#tails.set(key, made)
      tail = made
      void made.ended.then(() => {
        if (this.#tails.get(key) === made) this.#tails.delete(key)
      })
    }
    return tail
  }

  #leave(tail: SessionTail, reader: TailReader): void {
    tail.remove(reader)
    if (tail.readers > 0) return
    for (const [key, one] of this.#tails) if (one === tail) this.#tails.delete(key)
    tail.stop()
  }
}
