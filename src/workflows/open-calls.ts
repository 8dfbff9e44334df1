/**
 * The calls of one Step that have no receipt yet: which of them run, and which wait for a human or client.
 *
 * Owns what follows from that: the phase that the status shows, and whether the clock of the Turn runs.
 */
import type { RunningTurn } from './open-turn.ts'

export class OpenCalls {
  readonly #turn: RunningTurn
  readonly #running = new Set<string>()
  readonly #waiting = new Set<string>()
  /** The call whose decision asks for a new plan. */
  #replan: string | undefined

  constructor(turn: RunningTurn, callIds: readonly string[]) {
    this.#turn = turn
    for (const callId of callIds) this.#running.add(callId)
  }

  get isReplanning(): boolean {
    return this.#replan !== undefined
  }

  get replan(): string | undefined {
    return this.#replan
  }

  /** What waits is to be denied; what runs goes on. The first call that asks counts. */
  planAnew(callId: string): void {
    this.#replan ??= callId
  }

  waits(callId: string): void {
    this.#running.delete(callId)
    this.#waiting.add(callId)
    this.#show()
  }

  runs(callId: string): void {
    this.#waiting.delete(callId)
    this.#running.add(callId)
    this.#show()
  }

  ends(callId: string): void {
    this.#running.delete(callId)
    this.#waiting.delete(callId)
    this.#show()
  }

  #show(): void {
    const allWait = this.#waiting.size > 0 && this.#running.size === 0
    this.#turn.phase = allWait ? 'waiting_human' : 'tool_executing'
    if (allWait) this.#turn.clock?.pause()
    else this.#turn.clock?.resume()
  }
}
