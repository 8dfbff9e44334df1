/**
 * The one place where an error becomes a Temporal failure: retried or not, and after how long.
 */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { isTurnstepError } from '../core/errors.ts'

/**
 * What an activity throws for an error. Operational failures keep their code as the failure's type; a wait
 * that the other side asked for becomes the next delay. Bugs stay what they are, and are retried until a
 * worker with the fix takes over.
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error
  if (!isTurnstepError(error)) return error
  return ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: !error.retryable,
    ...(error.cause instanceof Error ? { cause: error.cause } : {}),
    ...(error.retryAfterMs === undefined ? {} : { nextRetryDelay: error.retryAfterMs }),
  })
}
