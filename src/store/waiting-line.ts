/**
 * A line in front of a lock that other processes take too: of this process only the first in line tries.
 *
 * Without it a hundred calls that wait would make a hundred attempts, one after the other, and each attempt may
 * stop the event loop for a moment. A line that moves would stop it as well, because an embedded database answers
 * at once, and whoever is answered may come back at once, so that the line is short and has no end: so now and then
 * it lets everything else go first.
 */
import { setImmediate as nextRound } from 'node:timers/promises'

/** How long the line keeps the event loop to itself. */
const HOLD_MS = 20

export class WaitingLine {
  #last: Promise<unknown> = Promise.resolve()
  /** When the line first moved in this round of the event loop. */
  #heldSince: number | undefined
  /** Why the one in front gave up, while nobody has succeeded since. */
  #failure: { readonly error: unknown } | undefined

  /**
   * Runs `work` after everybody who came before. One whose patience is spent by the time its turn comes fails
   * as the one before it did, if that failed.
   */
  async run<T>(isSpent: () => boolean, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#take(isSpent, work))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #take<T>(isSpent: () => boolean, work: () => Promise<T>): Promise<T> {
    if (this.#heldMs() > HOLD_MS) await nextRound()
    this.#heldSince ??= this.#beginRound()
    if (this.#failure !== undefined && isSpent()) throw this.#failure.error
    try {
      const answer = await work()
      this.#failure = undefined
      return answer
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }

  #heldMs(): number {
    return this.#heldSince === undefined ? 0 : performance.now() - this.#heldSince
  }

  #beginRound(): number {
    setImmediate(() => {
      this.#heldSince = undefined
    })
    return performance.now()
  }
}
