/**
 * What readers of a Session are given: its log, the text that is being written, and where it stands.
 */
import type { StreamItem } from '../../client/index.ts'
import type { TurnState } from '../../core/turn-state.ts'
import type { TurnPhase } from '../../core/wire.ts'

/** Where the Session stands, by its log. */
export interface PhaseStatus {
  readonly phase: 'idle' | 'running' | 'waiting_human'
  /** Set while a Turn is open. */
  readonly turnId?: string
  readonly turnPhase?: TurnPhase
}

export type TailItem = StreamItem | { readonly kind: 'status'; readonly status: PhaseStatus }

export const IDLE: PhaseStatus = { phase: 'idle' }

/** Where the Session stands after an event of a Turn that leaves it in a state. */
export function phaseStatus(turnId: string, { phase }: TurnState): PhaseStatus {
  if (phase === 'finished' || phase === 'failed') return IDLE
  return { phase: phase === 'waiting_human' ? phase : 'running', turnId, turnPhase: phase }
}

export function isSameStatus(a: PhaseStatus, b: PhaseStatus): boolean {
  return a.turnId === b.turnId && a.turnPhase === b.turnPhase
}
