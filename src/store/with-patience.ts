/**
 * Waiting for a busy database, and the translation of what it says into the runtime's own errors.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isTurnstepError, TurnstepError } from '../core/errors.ts'
import type { Diagnosis } from './sql-dialect.ts'
import type { WaitingLine } from './waiting-line.ts'

/** How long a call waits for a lock before it fails as unavailable. */
export const DEFAULT_PATIENCE_MS = 5_000

const LONGEST_PAUSE_MS = 32

export interface Patience {
  readonly patienceMs: number
  diagnose(error: unknown): Diagnosis
  /** Where calls that want the same lock wait. Without one they come back each by itself. */
  readonly line?: WaitingLine
  /** True once there is nothing left to wait for, because the store is closing. */
  isClosed?(): boolean
}

/**
 * Runs `work`, again while the database is busy, for at most `patienceMs`.
 *
 * `work` must have no effect when it fails as busy. Pauses grow to 32 ms and are jittered, so that
 * processes that wait for one lock do not come back together. Fails with `store-unavailable` or
 * `store-corrupt`; errors of neither kind pass through.
 */
export async function withPatience<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  const { line, patienceMs } = patience
  const deadline = performance.now() + patienceMs
  if (line !== undefined && !line.isEmpty)
    return await line.run(deadline, () => keepTrying(patience, deadline, work))
  try {
    return await work()
  } catch (error) {
    throwUnlessBusy(patience, deadline, error)
  }
  const goOn = () => keepTrying(patience, deadline, work)
  return line === undefined ? await goOn() : await line.run(deadline, goOn)
}

async function keepTrying<T>(patience: Patience, deadline: number, work: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round += 1) {
    const longest = Math.min(LONGEST_PAUSE_MS, 2 ** round)
    await delay(longest / 2 + (Math.random() * longest) / 2)
    try {
      return await work()
    } catch (error) {
      throwUnlessBusy(patience, deadline, error)
    }
  }
}

function throwUnlessBusy(patience: Patience, deadline: number, error: unknown): void {
  if (isTurnstepError(error)) throw error
  const diagnosis = patience.diagnose(error)
  switch (diagnosis.kind) {
    case 'bug':
      throw error
    case 'corrupt':
      throw new TurnstepError('store-corrupt', diagnosis.message, { cause: error })
    case 'unavailable':
      throw new TurnstepError('store-unavailable', diagnosis.message, { cause: error })
    case 'busy':
      if (performance.now() < deadline && patience.isClosed?.() !== true) return
      throw new TurnstepError('store-unavailable', diagnosis.message, { cause: error })
  }
}
