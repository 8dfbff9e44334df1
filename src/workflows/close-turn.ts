/**
 * Closing: shielded, so that every open call gets its receipt and every input its fate, whatever was cancelled.
 */
import { CancellationScope } from '@temporalio/workflow'
import type { CloseTurnAnswer } from '../activities/contracts.ts'
import * as activities from './activity-options.ts'
import { startNotifying } from './notify.ts'
import type { RunningTurn } from './open-turn.ts'
import type { LoopEnd } from './outcomes.ts'
import type { TurnInbox } from './receive-inputs.ts'

/** How the Turn ended by its log. */
export type RecordedEnd = Pick<CloseTurnAnswer, 'reason' | 'code'>

/**
 * Writes the end of the Turn; once more for what arrives while it is being written and needs a record: inputs
 * that a late stop withdraws, and refusals. The end itself stays what it was first.
 */
export async function closeTurn(
  turn: RunningTurn,
  end: Extract<LoopEnd, { kind: 'end' }>,
  inbox: TurnInbox,
): Promise<RecordedEnd> {
  return CancellationScope.nonCancellable(async () => {
    let recorded: RecordedEnd | undefined
    do {
      const answer = await activities.closeTurn(closeRequest(turn, end, inbox))
      inbox.settle(answer.recorded)
      if (recorded === undefined) await startNotifying(turn.turnId, { kind: 'end' }, answer.notify)
      recorded ??= { reason: answer.reason, ...(answer.code === undefined ? {} : { code: answer.code }) }
    } while (inbox.hasUnrecorded)
    turn.phase = recorded.reason === 'error' ? 'failed' : 'finished'
    return recorded
  })
}

function closeRequest(
  turn: RunningTurn,
  end: Extract<LoopEnd, { kind: 'end' }>,
  inbox: TurnInbox,
): Parameters<typeof activities.closeTurn>[0] {
  const { withdrawn: withdraw, refused, unanswered: offered } = inbox
  return {
    turnId: turn.turnId,
    turn: turn.turn,
    reason: end.reason,
    seq: turn.seq,
    ...(end.code === undefined ? {} : { code: end.code }),
    ...(end.scope === undefined ? {} : { scope: end.scope }),
    ...(turn.receipts.length > 0 ? { receipts: turn.receipts } : {}),
    ...(withdraw.length > 0 ? { withdraw } : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(offered.length > 0 ? { offered } : {}),
  }
}
