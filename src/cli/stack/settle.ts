import type { Session } from '../../client/index.ts'
import { isTurnstepError } from '../../core/errors.ts'

/** How often idleness is looked for; Temporal tells nobody that a workflow has closed. */
const LOOK_MS = 25

/**
 * Gives the workflow of a Turn that has just ended a moment to close, so that it does not wait for the next
 * worker. Not an error when something else has begun.
 */
export async function settle(session: Session, timeoutMs = 2_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    try {
      return await session.whenIdle({ timeoutMs: LOOK_MS })
    } catch (error) {
      if (!isTurnstepError(error) || error.code !== 'timed-out') return
    }
  }
}
