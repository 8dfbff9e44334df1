/**
 * A line in front of a lock that another process holds: of this process only the first in line tries.
 *
 * Without it a hundred waiting calls would make a hundred attempts, and each attempt may stop the event loop
 * for a moment. The line is empty, and costs nothing, as long as nobody has to wait.
 */
export class WaitingLine {
  #length = 0
  #last: Promise<unknown> = Promise.resolve()
  /** Why the one in front gave up, while nobody has succeeded since. */
  #failure: { readonly error: unknown } | undefined

  get isEmpty(): boolean {
    return this.#length === 0
  }

  /**
   * Runs `work` after everybody who came before, or fails as the one before did if its turn comes after the
   * deadline (by `performance.now()`).
   */
  async run<T>(deadline: number, work: () => Promise<T>): Promise<T> {
    this.#length += 1
    const turn = this.#last.then(() => this.#take(deadline, work))
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#length -= 1
    }
  }

  async #take<T>(deadline: number, work: () => Promise<T>): Promise<T> {
    if (this.#failure !== undefined && performance.now() >= deadline) throw this.#failure.error
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
