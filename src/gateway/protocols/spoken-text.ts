/**
 * What one message says on one channel, as it was told so far, against what is committed in the end.
 */
import type { Channel, TurnPart } from './turn-part.ts'

export class SpokenText {
  readonly #channel: Channel
  readonly #base: string
  /** How many ids were used. */
  #count = 0
  #open: string | undefined
  /** Told under these ids, and not taken back. */
  #ids: string[] = []
  #told = ''
  #isSettled = false

  /** The first id is `base`, the next ones `base.1`, `base.2`. */
  constructor(channel: Channel, base: string) {
    this.#channel = channel
    this.#base = base
  }

  /** Tells a piece of it. Once closed, nothing more is told until it is settled. */
  say(delta: string): TurnPart[] {
    if (this.#isSettled || (this.#open === undefined && this.#ids.length > 0)) return []
    return this.#tell(delta)
  }

  /** Ends what is open. */
  close(): TurnPart[] {
    if (this.#open === undefined) return []
    const id = this.#open
    this.#open = undefined
    return [{ kind: 'end', channel: this.#channel, id }]
  }

  /** Takes back all that was told, unless it is settled. */
  unsay(): TurnPart[] {
    if (this.#isSettled) return []
    const voids = this.#ids.map((id): TurnPart => ({ kind: 'void', channel: this.#channel, id }))
    const parts = [...this.close(), ...voids]
    this.#ids = []
    this.#told = ''
    return parts
  }

  /** Leaves what was told as it is: it is not in the log. */
  keep(): TurnPart[] {
    this.#isSettled = true
    return this.close()
  }

  /** Tells what is missing of the committed text; what was told otherwise is taken back. */
  settle(committed: string): TurnPart[] {
    const parts = committed.startsWith(this.#told) ? [] : this.unsay()
    const rest = committed.slice(this.#told.length)
    if (rest !== '') parts.push(...this.#tell(rest))
    parts.push(...this.close())
    this.#isSettled = true
    return parts
  }

  #tell(delta: string): TurnPart[] {
    const parts: TurnPart[] = []
    if (this.#open === undefined) {
      this.#open = this.#count === 0 ? this.#base : `${this.#base}.${this.#count}`
      this.#count += 1
      this.#ids.push(this.#open)
      parts.push({ kind: 'begin', channel: this.#channel, id: this.#open })
    }
    this.#told += delta
    parts.push({ kind: 'delta', channel: this.#channel, id: this.#open, delta })
    return parts
  }
}
