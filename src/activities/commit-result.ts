/**
 * Committing what is already in hand: a model's answer, a tool's result.
 */

import { isTurnstepError } from '../core/errors.ts'
import type { SessionKey } from '../core/ids.ts'
import type { Commit, CommitResult, SessionStore } from '../core/ports.ts'

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 5_000

/**
 * Commits within the attempt for as long as the store is unavailable: what was paid for, or has had its
 * effect, is not thrown away to be produced again. The activity's own time limit bounds it.
 */
export async function commitResult<R>(
  store: SessionStore,
  key: SessionKey,
  commit: Commit<R>,
): Promise<CommitResult<R>> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await store.commit(key, commit)
    } catch (error) {
      if (!isTurnstepError(error) || error.code !== 'store-unavailable') throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}
