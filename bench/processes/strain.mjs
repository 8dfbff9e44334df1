/**
 * What a stretch of work does to the process that it runs in: how it grows, and how long its event loop stands still.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const LOOK_EVERY_MS = 5
const MEGABYTE = 1_024 * 1_024

export class Strain {
  #delay = monitorEventLoopDelay({ resolution: 1 })
  #before = 0
  #peak = 0
  /** The largest size of the process before. */
  #peakBefore = 0
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  begin() {
    this.#before = process.memoryUsage.rss()
    this.#peak = this.#before
    this.#peakBefore = largestSize()
    this.#delay.reset()
    this.#delay.enable()
    this.#timer = setInterval(() => {
      this.#peak = Math.max(this.#peak, process.memoryUsage.rss())
    }, LOOK_EVERY_MS)
  }

  /** Since it began. What was between two looks counts where the process was larger than ever. */
  end() {
    clearInterval(this.#timer)
    this.#delay.disable()
    const peak = largestSize() > this.#peakBefore ? largestSize() : this.#peak
    return {
      growthMb: (peak - this.#before) / MEGABYTE,
      peakMb: peak / MEGABYTE,
      longestStallMs: this.#delay.max / 1e6,
    }
  }
}

function largestSize() {
  return process.resourceUsage().maxRSS * 1_024
}
