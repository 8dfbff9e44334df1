/**
 * Waiting for the store within an attempt: once an attempt has begun, an absent store must neither cost what is
 * in hand (a model's answer, a tool's result) nor make the attempt look like one whose worker died.
 */
import { isTurnstepError } from '../core/errors.ts'
import type { SessionKey } from '../core/ids.ts'
import type { Commit, CommitResult, SessionStore } from '../core/ports.ts'

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 5_000

/** Does `work` again for as long as the store is unavailable. The activity's own time limit bounds it. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isTurnstepError(error) || error.code !== 'store-unavailable') throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

/**
 * Commits within the attempt for as long as the store is unavailable: what was paid for, or has had its
 * effect, is not thrown away to be produced again.
 */
export async function commitResult<R>(
  store: SessionStore,
  key: SessionKey,
  commit: Commit<R>,
): Promise<CommitResult<R>> {
  return patiently(() => store.commit(key, commit))
}
