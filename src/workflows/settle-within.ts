/**
 * Waiting for what runs, and for a bounded time longer once it is to stop.
 */
import { ActivityFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow'

export type Settled<T> =
  /** It answered; after a cancellation this is what it really returned. */
  | { readonly kind: 'answered'; readonly value: T }
  /** It was stopped, or did not return within the grace: what it did is in the log, or never will be. */
  | { readonly kind: 'stopped' }

/**
 * Awaits an activity of this scope. Once the scope is cancelled it waits for at most `graceMs` more.
 * Failures that are not the cancellation are thrown.
 */
export async function settleWithin<T>(running: Promise<T>, graceMs: number): Promise<Settled<T>> {
  const scope = CancellationScope.current()
  const settled = running.then(
    (value): Settled<T> => ({ kind: 'answered', value }),
    (error: unknown): Settled<T> => {
      if (scope.consideredCancelled && isStopOf(error)) return { kind: 'stopped' }
      throw error
    },
  )
  settled.catch(() => undefined)
  try {
    return await Promise.race([settled, scope.cancelRequested])
  } catch (error) {
    if (!scope.consideredCancelled) throw error
  }
  const grace = CancellationScope.nonCancellable(() => sleep(graceMs))
  return Promise.race([settled, grace.then((): Settled<T> => ({ kind: 'stopped' }))])
}

/**
 * With a cancellation pending, a heartbeat timeout comes as an activity failure that Temporal does not call
 * a cancellation, although nothing will be retried.
 */
function isStopOf(error: unknown): boolean {
  return (
    isCancellation(error) || (error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED')
  )
}
