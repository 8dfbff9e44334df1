export type { AbortOptions, AbortResult } from './abort-turn.ts'
export type { AnswerOptions } from './answer-call.ts'
export type { HeldText } from './decide-text.ts'
export type { DecisionOptions } from './decision-options.ts'
export type { FollowOptions, StreamItem } from './follow-events.ts'
export type { SessionSummary } from './list-sessions.ts'
export type { FateOfInput } from './read-input-fate.ts'
export type { InputOptions } from './send-input.ts'
export {
  type FollowupOptions,
  type InputResult,
  Session,
  type SessionSpending,
  type SessionStatus,
  type SteerOptions,
} from './session.ts'
export { Turnstep, type TurnstepOptions } from './turnstep.ts'
export type { WaitOptions } from './wait-for-change.ts'
export type { PendingApproval, PendingCallApproval, PendingClientCall } from './waiting-calls.ts'
