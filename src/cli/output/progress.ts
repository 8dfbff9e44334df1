/**
 * What a Turn is at, in a few words, for a person who waits.
 */
import type { StreamItem } from '../../client/index.ts'
import { oneLine } from './terminal-text.ts'

/** Nobody wonders before that. Milliseconds. */
const QUIET_MS = 3_000

export class Progress {
  #step = 0
  /** Since when nothing was to be seen; undefined while no Turn is open. Milliseconds since 1970. */
  #since: number | undefined
  readonly #running = new Map<string, string>()
  readonly #waiting = new Set<string>()

  take(item: StreamItem, now: number): void {
    if (item.kind !== 'event') {
      if (this.#since !== undefined) this.#since = now
      return
    }
    const { event } = item
    switch (event.type) {
      case 'turn/start':
      case 'turn/end':
        this.#running.clear()
        this.#waiting.clear()
        this.#step = 0
        this.#since = event.type === 'turn/start' ? now : undefined
        return
      case 'step/start':
        this.#step = event.step
        break
      case 'tool/call':
        this.#waiting.delete(event.callId)
        this.#running.set(event.callId, event.tool)
        break
      case 'tool/result':
        this.#waiting.delete(event.callId)
        this.#running.delete(event.callId)
        break
      case 'approval/requested':
      case 'guardrail/held':
        this.#waiting.add(event.callId)
        break
      case 'approval/decided':
        this.#waiting.delete(event.callId)
        break
      case 'guardrail/judged':
        if (event.by !== undefined) this.#waiting.clear()
        break
      default:
        break
    }
    if (this.#since !== undefined) this.#since = now
  }

  /** `step 2: list_files, 12 s`, say; undefined while something was to be seen just now, or no Turn is open. */
  text(now: number): string | undefined {
    if (this.#since === undefined || now - this.#since < QUIET_MS) return undefined
    return `step ${this.#step}: ${this.#at()}, ${duration(now - this.#since)}`
  }

  #at(): string {
    const tools = [...new Set(this.#running.values())]
    if (tools.length > 0) return oneLine(tools.join(', '), 40)
    return this.#waiting.size > 0 ? 'waits for approval' : 'the model'
  }
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
