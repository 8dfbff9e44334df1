/**
 * Failures that end something: what cannot be tried again ends the Turn, and where not even its end can be
 * recorded, the workflow.
 */
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow'
import { isTurnstepError } from '../core/errors.ts'
import type { TurnInbox } from './receive-inputs.ts'

/**
 * The code of an operational failure: one of our own errors, or an activity that failed for good. Undefined for
 * a cancellation, and for a bug, which is to fail the workflow task and wait for a worker with the fix.
 */
export function failureCode(error: unknown): string | undefined {
  if (isTurnstepError(error)) return error.code
  if (!(error instanceof ActivityFailure) || isCancellation(error)) return undefined
  return (error.cause instanceof ApplicationFailure ? error.cause.type : undefined) ?? 'internal'
}

/**
 * What the workflow throws for an error that reached its top. An operational failure fails it for good, with
 * every input that has no recorded fate in the details, so that nothing is lost with it.
 */
export function workflowFailure(error: unknown, inbox: TurnInbox): unknown {
  const code = failureCode(error)
  if (code === undefined) return error
  return ApplicationFailure.create({
    message: `The turn cannot be recorded: ${code}. The details hold the inputs that are not in the log.`,
    type: code,
    nonRetryable: true,
    details: [{ inputs: inbox.pending(), refused: inbox.refused }],
    ...(error instanceof Error ? { cause: error } : {}),
  })
}
