/**
 * Loop guard: notices that a Turn asks for the same call again and gets the same answer.
 *
 * Plain data in, plain data out, because the state travels through continue-as-new.
 */
import type { ReceiptKind, ToolEffect } from './receipt.ts'

/** Opaque outside this module; plain JSON of bounded size. */
export interface GuardState {
  readonly memory: readonly unknown[]
}

export const EMPTY_GUARD: GuardState = { memory: [] }

/** A call as the guard sees it before it runs. */
export interface GuardedCall {
  /** Digest of tool and canonical arguments. */
  readonly fingerprint: string
  readonly effect: ToolEffect
  readonly poll?: { readonly maxCalls?: number; readonly maxDurationMs?: number }
}

export type GuardVerdict =
  /** Run it; if the result has this digest, tell the model "unchanged" instead of sending it again. */
  | { readonly kind: 'run'; readonly unchangedIf?: string }
  | { readonly kind: 'repeated' }

/** What became of a call, in the order of the calls of its Step. */
export interface GuardedResult extends GuardedCall {
  readonly receipt: ReceiptKind
  /** Digest of the tool's real result; absent for receipts that no tool produced. */
  readonly resultDigest?: string
}

/** Judges the calls of one Step, in order. `nowMs` is workflow time, for polls that are limited by duration. */
export declare function judgeCalls(state: GuardState, calls: readonly GuardedCall[], nowMs: number): readonly GuardVerdict[]

/** The state after a Step whose calls had these results. */
export declare function recordResults(state: GuardState, results: readonly GuardedResult[], nowMs: number): GuardState
