import { setImmediate as nextRound } from 'node:timers/promises'

/** How long work may keep the event loop to itself. */
const HELD_MS = 10

/** Lets everything else go first, now and then, in work that never waits by itself. */
export class Breather {
  #since = performance.now()

  async breathe(): Promise<void> {
    if (performance.now() - this.#since < HELD_MS) return
    await nextRound()
    this.#since = performance.now()
  }
}
