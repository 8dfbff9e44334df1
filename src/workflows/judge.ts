/**
 * What guardrails are asked: about the inputs that opened the Turn, and about what the model said in a Step.
 */
import type { CallModelAnswer, JudgeOutputAnswer } from '../activities/contracts.ts'
import * as activities from './activity-options.ts'
import type { RunningTurn } from './open-turn.ts'
import type { StepOutcome } from './outcomes.ts'
import type { Settled } from './settle-within.ts'
import { settleWithin } from './settle-within.ts'

/** Whether the inputs that opened the Turn are to be judged before its first Step. */
export function needsJudgement(turn: RunningTurn): boolean {
  return turn.step === 0 && turn.plan.guardrails?.input === true
}

/** Has the inputs that opened the Turn judged. */
export async function judgeOpening(turn: RunningTurn): Promise<StepOutcome> {
  const settled = await settleWithin(
    activities.judgeInputs({ turnId: turn.turnId, seq: turn.seq }),
    turn.plan.abortGraceMs,
  )
  if (settled.kind === 'stopped') return settled
  const judged = settled.value
  if (judged.kind === 'turn-closed') return { kind: 'end', reason: 'error', code: 'terminated' }
  if (judged.kind === 'failed') return { kind: 'end', reason: 'error', code: judged.code }
  turn.seq = judged.seq
  return judged.kind === 'blocked' ? { kind: 'end', reason: 'blocked' } : { kind: 'next' }
}

/** Has a draft judged. */
export async function judgeDraft(
  turn: RunningTurn,
  draft: Extract<CallModelAnswer, { kind: 'draft' }>,
): Promise<Settled<JudgeOutputAnswer>> {
  const { turnId, step, seq } = turn
  const { digest } = draft
  const settled = await settleWithin(
    activities.judgeOutput({ turnId, step, digest, seq }),
    turn.plan.abortGraceMs,
  )
  if (settled.kind === 'answered') {
    turn.seq = settled.value.seq ?? turn.seq
    turn.spent = settled.value.spent ?? turn.spent
  }
  return settled
}
