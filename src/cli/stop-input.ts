import type { Session } from '../client/index.ts'
import { isTurnstepError } from '../core/errors.ts'

/**
 * Stops what an input set going, wherever it has come to: aborts its Turn, or withdraws it while it waits. Does
 * nothing when it is over.
 */
export async function stopInput(session: Session, inputId: string): Promise<void> {
  for (;;) {
    if (!(await failsWith('turn-not-running', () => session.abort({ turnId: inputId })))) return
    if (!(await failsWith('input-already-claimed', () => session.withdraw(inputId)))) return
    // Claimed between the two: a Turn of it is running, or it has just ended.
    const isOver = await session
      .turn(inputId)
      .result({ timeoutMs: 1 })
      .then(
        () => true,
        () => false,
      )
    if (isOver) return
  }
}

/** Runs it; says whether it failed with this code. Nothing waiting under the id counts as done. */
async function failsWith(code: string, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return false
  } catch (error) {
    if (isTurnstepError(error) && error.code === code) return true
    if (isTurnstepError(error) && error.code === 'input-not-found') return false
    throw error
  }
}
