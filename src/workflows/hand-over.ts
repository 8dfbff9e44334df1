/**
 * What comes after: the next Turn, the same Turn in another run, a cancellation, or a result.
 *
 * Nothing is awaited here. A signal or cancellation that lands while the last workflow task is in flight
 * fails that task, which then runs again and sees it; an await would open a window in which it is lost.
 */
import { CancellationScope, CancelledFailure, continueAsNew } from '@temporalio/workflow'
import type { TurnOpening, TurnResult } from '../core/wire.ts'
import type { RecordedEnd } from './close-turn.ts'
import type { RunningTurn } from './open-turn.ts'
import type { TurnInbox } from './receive-inputs.ts'

type Continue = (opening: TurnOpening) => Promise<TurnResult>

/** Ends this run after its Turn. Inputs that are left open the next one. */
export function handOver(
  turn: RunningTurn,
  end: RecordedEnd,
  inbox: TurnInbox,
): Promise<TurnResult> | TurnResult {
  if (inbox.hasInputs) return continueAsNew<Continue>({ v: 1, inbox: inbox.carry() })
  if (end.reason === 'aborted' && CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure(`Turn ${turn.turnId} was aborted`)
  }
  const { turnId, turn: ordinal } = turn
  return { kind: 'ended', turnId, turn: ordinal, ...end }
}

/** The same Turn in another run, before its history grows too long. No activity is open here. */
export function continueTurn(turn: RunningTurn, inbox: TurnInbox): Promise<TurnResult> {
  const { turnId, turn: ordinal, plan, step, guard, counters, seq, spent, receipts, replan } = turn
  const remainingMs = turn.clock?.remainingMs ?? turn.remainingMs
  return continueAsNew<Continue>({
    v: 1,
    inbox: inbox.carry(),
    turn: {
      turnId,
      turn: ordinal,
      plan,
      step,
      guard,
      counters,
      seq,
      remainingMs,
      claimed: inbox.claimedIds,
      ...(spent === undefined ? {} : { spent }),
      ...(receipts.length > 0 ? { receipts } : {}),
      ...(replan === undefined ? {} : { replan }),
    },
  })
}

/** Inputs that a cancelled run cannot serve, because the cancellation was not meant for them. */
export function startOver(inbox: TurnInbox): Promise<TurnResult> {
  return continueAsNew<Continue>({ v: 1, inbox: inbox.carry() })
}

/** Every input had its fate already: nothing to run. */
export function nothingOpened(): TurnResult {
  return { kind: 'nothing-opened' }
}
