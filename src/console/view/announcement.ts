import type { PendingApproval } from '../api/answers.ts'
import { subjectOf } from './approval-words.ts'
import { type Connection, isMissing } from './session-state.ts'
import type { TurnView } from './turn-view.ts'
import { END_SIGNS, PHASE_SIGNS, signOf } from './words.ts'

/** What is said aloud: changes of state, never the text as it streams. */
export function announcementOf({
  turn,
  approvals,
  connection,
}: {
  readonly turn: TurnView | undefined
  readonly approvals: readonly PendingApproval[]
  readonly connection: Connection
}): string {
  if (connection.kind === 'broken' && !isMissing(connection)) return 'Not connected.'
  const [approval] = approvals
  if (approval !== undefined) return `${subjectOf(approval)}.`
  if (turn === undefined) return ''
  if (turn.end !== undefined) return `Turn ${turn.turn}: ${signOf(END_SIGNS, turn.end.reason).word}.`
  return `Turn ${turn.turn}: ${signOf(PHASE_SIGNS, turn.phase).word}.`
}
