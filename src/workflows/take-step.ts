/**
 * One Step: the model call, and what follows from its answer.
 */
import type { CallModelAnswer, JudgeOutputAnswer, WaitingText } from '../activities/contracts.ts'
import { assertNever } from '../core/errors.ts'
import { clearGuard } from '../core/loop-guard.ts'
import * as activities from './activity-options.ts'
import { judgeDraft } from './judge.ts'
import type { RunningTurn } from './open-turn.ts'
import type { StepOutcome } from './outcomes.ts'
import type { TurnInbox } from './receive-inputs.ts'
import { runCalls } from './run-calls.ts'
import { settleWithin } from './settle-within.ts'

/** Outputs cut in a row that end the Turn. */
const MAX_CUTS = 3

export async function takeStep(
  turn: RunningTurn,
  inbox: TurnInbox,
  options: { readonly onlyIfClaimed: boolean },
): Promise<StepOutcome> {
  turn.phase = 'thinking'
  const settled = await settleWithin(
    activities.callModel(stepRequest(turn, inbox, options)),
    turn.plan.abortGraceMs,
  )
  if (settled.kind === 'stopped') return { kind: 'stopped' }
  const answer = settled.value
  recordAnswer(turn, inbox, answer)
  if (answer.kind !== 'draft') return follow(turn, inbox, answer)
  const judged = await judgeDraft(turn, inbox, answer)
  return judged.kind === 'stopped' ? judged : follow(turn, inbox, judged.value)
}

function stepRequest(
  turn: RunningTurn,
  inbox: TurnInbox,
  options: { readonly onlyIfClaimed: boolean },
): Parameters<typeof activities.callModel>[0] {
  const steers = inbox.offerSteers()
  const { refused } = inbox
  return {
    turnId: turn.turnId,
    turn: turn.turn,
    step: turn.step + 1,
    seq: turn.seq,
    ...(steers.length > 0 ? { steers } : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(turn.receipts.length > 0 ? { receipts: turn.receipts } : {}),
    ...(turn.replan === undefined ? {} : { replan: turn.replan }),
    ...(options.onlyIfClaimed ? { onlyIfClaimed: true } : {}),
    ...(steers.length > 0 && turn.plan.guardrails?.input ? { judge: true } : {}),
  }
}

function recordAnswer(turn: RunningTurn, inbox: TurnInbox, answer: CallModelAnswer): void {
  inbox.settle(answer.recorded)
  turn.seq = answer.seq ?? turn.seq
  turn.spent = answer.spent ?? turn.spent
  if (answer.kind === 'turn-closed' || answer.kind === 'nothing-claimed') return
  turn.step += 1
  turn.receipts = []
  turn.replan = undefined
  const claimed = answer.recorded?.claimed ?? []
  if (claimed.length === 0) return
  inbox.belongsTo(turn.turnId, claimed)
  turn.guard = clearGuard()
}

async function follow(
  turn: RunningTurn,
  inbox: TurnInbox,
  answer: Exclude<JudgeOutputAnswer, WaitingText>,
): Promise<StepOutcome> {
  const { counters } = turn
  if (answer.kind !== 'cut' && answer.kind !== 'interrupted') turn.counters = { ...counters, cuts: 0 }
  switch (answer.kind) {
    case 'calls':
      return runCalls(turn, inbox, answer)
    case 'final':
    case 'nothing-claimed':
      return { kind: 'final' }
    case 'cut': {
      const cuts = counters.cuts + 1
      turn.counters = { ...counters, cuts, receipts: counters.receipts + answer.receipts }
      return cuts < MAX_CUTS ? { kind: 'next' } : { kind: 'end', reason: 'max-tokens' }
    }
    case 'empty':
      return counters.receipts > 0
        ? { kind: 'final' }
        : { kind: 'end', reason: 'error', code: 'empty-completion' }
    case 'refused':
      return { kind: 'end', reason: 'provider-refused' }
    case 'objected':
      return { kind: 'next' }
    case 'blocked':
      return { kind: 'end', reason: 'blocked' }
    case 'interrupted':
      return { kind: 'stopped' }
    case 'budget-spent': {
      const { reason, scope } = answer
      return { kind: 'end', reason, ...(scope === undefined ? {} : { scope }) }
    }
    case 'failed':
      return { kind: 'end', reason: 'error', code: answer.code }
    case 'turn-closed':
      return { kind: 'end', reason: 'error', code: 'terminated' }
    default:
      return assertNever(answer, 'callModel answered')
  }
}
