/**
 * What guardrails are asked: about the inputs that opened the Turn, and about what the model said in a Step.
 */
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow'
import type { CallModelAnswer, JudgeOutputAnswer, WaitingText } from '../activities/contracts.ts'
import { heldIdOf } from '../core/ids.ts'
import * as activities from './activity-options.ts'
import { startNotifying } from './notify.ts'
import type { RunningTurn } from './open-turn.ts'
import type { StepOutcome } from './outcomes.ts'
import type { TurnInbox } from './receive-inputs.ts'
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

type Draft = Extract<CallModelAnswer, { kind: 'draft' }>

/** Has a draft judged, by a human, too, where a guardrail holds it for one. */
export async function judgeDraft(
  turn: RunningTurn,
  inbox: TurnInbox,
  draft: Draft,
): Promise<Settled<Exclude<JudgeOutputAnswer, WaitingText>>> {
  // Before anybody is asked: who decides at once is heard.
  inbox.expectCalls([heldIdOf(turn)])
  let settled = await judge(turn, draft)
  for (let asked = false; ; asked = true) {
    if (settled.kind === 'stopped') return settled
    const answer = settled.value
    if (answer.kind !== 'waiting') return { kind: 'answered', value: answer }
    const isSteered = await untilDecided(turn, inbox, { answer, isNew: !asked })
    if (isSteered === 'stopped') return { kind: 'stopped' }
    settled = await judge(turn, draft, isSteered ? { isSteered: true } : {})
  }
}

async function judge(
  turn: RunningTurn,
  { digest }: Draft,
  steered: { readonly isSteered?: true } = {},
): Promise<Settled<JudgeOutputAnswer>> {
  const { turnId, step, seq } = turn
  const settled = await settleWithin(
    activities.judgeOutput({ turnId, step, digest, seq, ...steered }),
    turn.plan.abortGraceMs,
  )
  if (settled.kind === 'answered') {
    turn.seq = settled.value.seq ?? turn.seq
    turn.spent = settled.value.spent ?? turn.spent
  }
  return settled
}

/** Waits, with the clock standing still, until something happened; answers whether a steer drops the text. */
async function untilDecided(
  turn: RunningTurn,
  inbox: TurnInbox,
  wait: { readonly answer: WaitingText; readonly isNew: boolean },
): Promise<boolean | 'stopped'> {
  const { id, expiresInMs, notify } = wait.answer
  turn.phase = 'waiting_human'
  turn.clock?.pause()
  const isSteered = (): boolean => turn.plan.onSteerWhileWaiting === 'deny' && inbox.hasSteers
  try {
    if (wait.isNew) {
      const occasion = { kind: 'approval', callId: id } as const
      await CancellationScope.nonCancellable(() => startNotifying(turn.turnId, occasion, notify))
    }
    await condition(() => inbox.isWoken(id) || isSteered(), expiresInMs)
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) return 'stopped'
    throw error
  } finally {
    turn.clock?.resume()
    turn.phase = 'thinking'
  }
  inbox.takeWake(id)
  return isSteered()
}
