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
  /** Where calls that want the same lock take turns. Without one each waits by itself. */
  readonly line?: WaitingLine
  /** True once there is nothing left to wait for, because the store is closing. */
  isClosed?(): boolean
}

/**
 * Runs `work`, again while the database is busy, for at most `patienceMs`.
 *
 * `work` must have no effect when it fails as busy. Pauses grow to 32 ms and are jittered, so that processes
 * that wait for one lock do not come back together. Fails with `store-unavailable` or `store-corrupt`; errors of
 * neither kind pass through.
 */
export async function withPatience<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patience.patienceMs
  const isSpent = (): boolean => performance.now() >= deadline || patience.isClosed?.() === true
  const trying = async (): Promise<T> => {
    for (let round = 0; ; round += 1) {
      try {
        return await work()
      } catch (error) {
        throwUnlessBusy(error, { patience, isSpent })
      }
      await pause(round)
    }
  }
  return await (patience.line === undefined ? trying() : patience.line.run(isSpent, trying))
}

async function pause(round: number): Promise<void> {
  const longestMs = Math.min(LONGEST_PAUSE_MS, 2 ** round)
  await delay(longestMs / 2 + (Math.random() * longestMs) / 2)
}

function throwUnlessBusy(
  error: unknown,
  { patience, isSpent }: { readonly patience: Patience; readonly isSpent: () => boolean },
): void {
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
      if (isSpent()) throw new TurnstepError('store-unavailable', diagnosis.message, { cause: error })
  }
}
