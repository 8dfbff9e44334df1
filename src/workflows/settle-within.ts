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
  return new Promise((resolve, reject) => {
    running.then(
      (value) => resolve({ kind: 'answered', value }),
      (error: unknown) => {
        if (scope.consideredCancelled && isStopOf(error)) resolve({ kind: 'stopped' })
        else reject(error)
      },
    )
    scope.cancelRequested.catch(() =>
      CancellationScope.nonCancellable(() => sleep(graceMs)).then(() => resolve({ kind: 'stopped' })),
    )
  })
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
