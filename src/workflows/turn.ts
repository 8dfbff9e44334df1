/**
 * The Turn: opens, runs Steps until something ends it, closes, hands over.
 *
 * Deterministic: all that differs between agents arrives as data from the opening activity. What is
 * decided here follows from signals, answers of activities and the plan alone.
 */
import { CancellationScope, workflowInfo } from '@temporalio/workflow'
import { readOpening } from '../core/read-opening.ts'
import type { TurnOpening, TurnResult } from '../core/wire.ts'
import { closeTurn } from './close-turn.ts'
import { continueTurn, handOver, nothingOpened, startOver } from './hand-over.ts'
import { openTurn } from './open-turn.ts'
import { workflowFailure } from './read-failure.ts'
import { answerStatus, receiveInputs } from './receive-inputs.ts'
import { runSteps } from './run-steps.ts'

/**
 * One Turn of a Session, started by a signal under the id `turnstep:{tenant}:{session}`.
 *
 * Ends as Canceled if and only if it was asked to cancel, its `turn/end` says `aborted` and no Turn
 * follows; as Failed only where the log cannot be written at all; else with a result.
 */
export async function turnWorkflow(opening?: TurnOpening): Promise<TurnResult> {
  const given = readOpening(opening)
  const inbox = receiveInputs(given)
  answerStatus(() => ({
    step: 0,
    phase: 'pending',
    isStopping: CancellationScope.current().consideredCancelled,
  }))
  try {
    const turn = await openTurn(given, inbox, workflowInfo())
    if (turn.kind === 'nothing-opened') return nothingOpened()
    if (turn.kind === 'spent') return startOver(inbox)
    const end = await runSteps(turn, inbox)
    if (end.kind === 'continue') return continueTurn(turn, inbox)
    const recorded = await closeTurn(turn, end, inbox)
    return handOver(turn, recorded, inbox)
  } catch (error) {
    throw workflowFailure(error, inbox)
  }
}
