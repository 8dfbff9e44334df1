/**
 * The running time of a Turn: a durable timer that stands still while every open call waits for a human or client.
 *
 * When the time is up the Steps are stopped as an abort would stop them.
 */
import { CancellationScope, sleep } from '@temporalio/workflow'

export class TurnClock {
  #remainingMs: number
  readonly #steps: CancellationScope
  /** Set while the clock runs. */
  #running: { readonly timer: CancellationScope; readonly sinceMs: number } | undefined
  #hasPassed = false

  constructor(remainingMs: number, steps: CancellationScope) {
    this.#remainingMs = remainingMs
    this.#steps = steps
    this.resume()
  }

  get hasPassed(): boolean {
    return this.#hasPassed
  }

  get remainingMs(): number {
    const running = this.#running
    const spentMs = running === undefined ? 0 : Date.now() - running.sinceMs
    return Math.max(1, this.#remainingMs - spentMs)
  }

  resume(): void {
    if (this.#running !== undefined || this.#hasPassed) return
    const timer = new CancellationScope()
    this.#running = { timer, sinceMs: Date.now() }
    void timer
      .run(async () => {
        await sleep(this.#remainingMs)
        this.#hasPassed = true
        this.#steps.cancel()
      })
      .catch(() => undefined)
  }

  pause(): void {
    const running = this.#running
    if (running === undefined || this.#hasPassed) return
    this.#remainingMs = this.remainingMs
    this.#running = undefined
    running.timer.cancel()
  }

  /** Ends the timer for good. */
  stop(): void {
    this.#running?.timer.cancel()
  }
}
