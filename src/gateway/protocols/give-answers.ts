/**
 * What a front end gives a Turn that waits: decisions, and results of the calls that it runs.
 */
import type { DecisionOptions, Session } from '../../client/index.ts'
import { type ErrorCode, isTurnstepError } from '../../core/errors.ts'

export interface GivenDecision extends Omit<DecisionOptions, 'by'> {
  readonly callId: string
}

export interface GivenResult {
  readonly callId: string
  readonly content: unknown
  readonly isError: boolean
}

/** A front end sends what it knows again and again: what came too late is told by the stream, not by an error. */
const TOLD_BY_STREAM: ReadonlySet<ErrorCode> = new Set(['already-decided', 'call-not-waiting', 'too-late'])

/** Hands over decisions. Fails with `arguments-changed` and `invalid-input`. */
export async function giveDecisions(
  session: Session,
  decisions: readonly GivenDecision[],
  by: string,
): Promise<void> {
  for (const { callId, ...decision } of decisions) await quietly(session.decide(callId, { ...decision, by }))
}

/** Hands over results, of the calls that wait for one. */
export async function giveResults(session: Session, results: readonly GivenResult[]): Promise<void> {
  if (results.length === 0) return
  const waiting = new Set((await session.clientCalls()).map(({ callId }) => callId))
  for (const { callId, content, isError } of results)
    if (waiting.has(callId)) await quietly(session.answer(callId, { content, isError }))
}

async function quietly(given: Promise<void>): Promise<void> {
  try {
    await given
  } catch (error) {
    if (!isTurnstepError(error) || !TOLD_BY_STREAM.has(error.code)) throw error
  }
}
