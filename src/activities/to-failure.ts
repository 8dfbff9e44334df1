/**
 * The one place where an error becomes a Temporal failure: retried or not, and after how long.
 */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { isTurnstepError } from '../core/errors.ts'
import { redactError, redactForLog } from './redact-for-log.ts'

/**
 * What an activity throws for an error. Operational failures keep their code as the failure's type; a wait
 * that the other side asked for becomes the next delay. Bugs stay what they are, and are retried until a
 * worker with the fix takes over. Both are redacted, because Temporal keeps them and workers log them.
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error
  if (!isTurnstepError(error)) return error instanceof Error ? redactError(error) : error
  return ApplicationFailure.create({
    message: redactForLog(error.message),
    type: error.code,
    nonRetryable: !error.retryable,
    ...(error.cause instanceof Error ? { cause: redactError(error.cause) } : {}),
    ...(error.retryAfterMs === undefined ? {} : { nextRetryDelay: error.retryAfterMs }),
  })
}
