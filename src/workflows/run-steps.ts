/**
 * The Step loop: one model call, then the tools that it asked for, until something ends the Turn.
 */
import { CancellationScope, isCancellation, workflowInfo } from '@temporalio/workflow'
import { NOTHING_SPENT, spentBudget } from '../core/budget.ts'
import { judgeOpening, needsJudgement } from './judge.ts'
import type { RunningTurn } from './open-turn.ts'
import { showStatus } from './open-turn.ts'
import type { LoopEnd } from './outcomes.ts'
import { failureCode } from './read-failure.ts'
import type { TurnInbox } from './receive-inputs.ts'
import { takeStep } from './take-step.ts'
import { TurnClock } from './turn-clock.ts'

/** Far below the history's limits, and cheap: a continuation costs about as much as a Step. */
const STEPS_PER_RUN = 100

export async function runSteps(turn: RunningTurn, inbox: TurnInbox): Promise<LoopEnd> {
  showStatus(turn, inbox)
  if (turn.error !== undefined) return { kind: 'end', reason: 'error', code: turn.error }
  const scope = new CancellationScope()
  const clock = new TurnClock(turn.remainingMs, scope)
  turn.clock = clock
  try {
    return await scope.run(() => loop(turn, inbox, clock))
  } catch (error) {
    if (isCancellation(error) && scope.consideredCancelled) return stopped(inbox)
    const code = failureCode(error)
    if (code === undefined) throw error
    return { kind: 'end', reason: 'error', code }
  } finally {
    clock.stop()
  }
}

async function loop(turn: RunningTurn, inbox: TurnInbox, clock: TurnClock): Promise<LoopEnd> {
  // Awaited only where it is needed: an await more is another order of commands in histories that have none.
  const opening = needsJudgement(turn) ? await judgeOpening(turn) : undefined
  if (opening?.kind === 'end' && inbox.stop?.mode !== 'now') return opening
  let afterFinal = false
  for (;;) {
    const end = endBeforeStep(turn, inbox, { afterFinal, isLate: clock.hasPassed })
    if (end !== undefined) return end
    const outcome = await takeStep(turn, inbox, { onlyIfClaimed: afterFinal })
    if (outcome.kind === 'end' && inbox.stop?.mode !== 'now') return outcome
    // What a stopped Step still brought is recorded, and does not change that the Turn was stopped. Whether the
    // log's last word is final after all is seen at the closing.
    afterFinal = outcome.kind === 'final'
  }
}

/**
 * What ends the Turn at a Step boundary. Synchronous, and followed by no await before the next activity is
 * scheduled or the Turn is closed: what the activation brought is seen here.
 */
function endBeforeStep(
  turn: RunningTurn,
  inbox: TurnInbox,
  at: { readonly afterFinal: boolean; readonly isLate: boolean },
): LoopEnd | undefined {
  const completed: LoopEnd = { kind: 'end', reason: 'completed' }
  const { stop } = inbox
  if (stop !== undefined) {
    const finishes =
      at.afterFinal && stop.mode === 'after-step' && !CancellationScope.current().consideredCancelled
    return finishes ? completed : stopped(inbox)
  }
  // Cancelled Steps stop at once, again and again: whatever cancelled them, the Turn ends.
  if (!at.isLate && CancellationScope.current().consideredCancelled) return { kind: 'end', reason: 'aborted' }
  if (at.isLate) return at.afterFinal ? completed : { kind: 'end', reason: 'max-duration' }
  if (at.afterFinal && !inbox.hasSteers) return completed
  if (turn.step >= turn.plan.maxSteps) return at.afterFinal ? completed : { kind: 'end', reason: 'max-steps' }
  const spent = turn.plan.budget && spentBudget(turn.plan.budget, turn.spent ?? NOTHING_SPENT)
  if (spent !== undefined) return at.afterFinal ? completed : { kind: 'end', ...spent }
  if (!at.afterFinal && isRunFull(turn) && inbox.isCarryable) return { kind: 'continue' }
  return undefined
}

/** A cancelled scope means a stop, or the deadline if nobody asked for one. */
function stopped(inbox: TurnInbox): LoopEnd {
  return { kind: 'end', reason: inbox.stop === undefined ? 'max-duration' : 'aborted' }
}

function isRunFull(turn: RunningTurn): boolean {
  return turn.step - turn.stepsBefore >= STEPS_PER_RUN || workflowInfo().continueAsNewSuggested
}
