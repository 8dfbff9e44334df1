import { isTurnstepError } from '../core/errors.ts'

/** A failure of a command as a person is told of it: ours in their own words, a bug with where it happened. */
export function explainFailure(error: unknown): string {
  if (isTurnstepError(error)) return `turnstep: ${error.message}`
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `turnstep: an unexpected failure, which is a bug. Nothing that was sent is lost.\n${details}`
}
