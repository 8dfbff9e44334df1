/**
 * A line in front of a lock that other processes take too: of this process only the first in line tries.
 *
 * Without it a hundred calls that wait would make a hundred attempts, one after the other, and each attempt may
 * stop the event loop for a moment. A long line that moves would stop it as well, because an embedded database
 * answers at once: so now and then the line lets everything else go first.
 */
import { setImmediate as nextRound } from 'node:timers/promises'

/** How long the line keeps the event loop to itself. */
const HOLD_MS = 20

export class WaitingLine {
  #last: Promise<unknown> = Promise.resolve()
  #length = 0
  #heldSince = 0
  /** Why the one in front gave up, while nobody has succeeded since. */
  #failure: { readonly error: unknown } | undefined

  /**
   * Runs `work` after everybody who came before. One whose patience is spent by the time its turn comes fails
   * as the one before it did, if that failed.
   */
  async run<T>(isSpent: () => boolean, work: () => Promise<T>): Promise<T> {
    if (this.#length === 0) this.#heldSince = performance.now()
    this.#length += 1
    const turn = this.#last.then(() => this.#take(isSpent, work))
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#length -= 1
    }
  }

  async #take<T>(isSpent: () => boolean, work: () => Promise<T>): Promise<T> {
    if (performance.now() - this.#heldSince > HOLD_MS) {
      await nextRound()
      this.#heldSince = performance.now()
    }
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
}
