/**
 * How a Step and the Step loop end.
 */
import type { EndReason } from '../core/event.ts'

/** How the loop ended: the Turn is to be closed, or goes on in another run. */
export type LoopEnd =
  | {
      readonly kind: 'end'
      readonly reason: EndReason
      readonly code?: string
      /** Set when the budget that is spent is the Session's. */
      readonly scope?: 'session'
    }
  | { readonly kind: 'continue' }

export type StepOutcome =
  | { readonly kind: 'next' }
  /** The model said its last word; a steer may still ask for more. */
  | { readonly kind: 'final' }
  /** The scope was cancelled; the loop knows why. */
  | { readonly kind: 'stopped' }
  | Extract<LoopEnd, { kind: 'end' }>
