import { HTTPException } from 'hono/http-exception'
import { isTurnstepError } from '../core/errors.ts'
import { HttpProblem, type ProblemCode, problemOf, problemResponse, statusOf } from './problem.ts'

const CODE_OF_STATUS: Readonly<Record<number, ProblemCode>> = {
  404: 'not-found',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
}

/** The one place that turns what a route throws into a problem. A bug is told to `report` and says nothing of itself. */
export function answerFailure(error: unknown, report: (error: unknown) => void): Response {
  if (error instanceof HttpProblem) return problemResponse(error.problem, error.headers)
  if (isTurnstepError(error)) {
    if (statusOf(error.code) >= 500) report(error)
    const seconds = error.retryable
      ? { 'retry-after': String(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000)) }
      : {}
    return problemResponse(problemOf(error.code, error.message), seconds)
  }
  if (error instanceof HTTPException && error.status < 500)
    return problemResponse(problemOf(CODE_OF_STATUS[error.status] ?? 'bad-request', error.message))
  report(error)
  return problemResponse(
    problemOf('internal', 'An unexpected failure, which is a bug. The log of the gateway has it.'),
  )
}
