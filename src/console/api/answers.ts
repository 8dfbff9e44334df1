/**
 * What the gateway answers, as far as the console reads it.
 */
import type { RiskLevel } from '../../core/event.ts'
import type { Content } from '../../core/message.ts'
import type { TurnPhase } from '../../core/wire.ts'
import type { TurnLimits } from '../view/budgets.ts'

export type SessionPhase = 'idle' | 'running' | 'waiting_human'
export type InputLane = 'next-turn' | 'next-step'

export interface SessionSummary {
  readonly sessionId: string
  readonly agent?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly phase: SessionPhase
  readonly turnId?: string
  readonly changedAt?: string
}

export interface PendingInput {
  readonly id: string
  readonly lane: InputLane
  readonly content?: Content | { readonly ref: string }
}

/** Shown where a decision is asked for: what a call would change. */
export interface ChangePreview {
  readonly kind: 'diff'
  readonly path: string
  readonly diff: string
}

interface Waiting {
  readonly callId: string
  readonly argumentsDigest: string
  readonly expiresAt: string
  readonly turnId: string
  readonly step: number
}

export interface CallApproval extends Waiting {
  readonly kind?: 'call'
  readonly tool: string
  /** JSON text. */
  readonly arguments: string
  readonly risk: RiskLevel
  readonly preview?: ChangePreview
}

/** A final text that a guardrail holds for a human. */
export interface TextApproval extends Waiting {
  readonly kind: 'text'
  readonly text: string
  readonly guardrail: string
  readonly reason: string
}

export type PendingApproval = CallApproval | TextApproval

export interface ClientCall {
  readonly callId: string
  readonly tool: string
  readonly arguments: string
  readonly expiresAt: string
}

export interface SessionStatus {
  readonly phase: SessionPhase
  readonly agent?: string
  readonly turnId?: string
  readonly step?: number
  readonly turnPhase?: TurnPhase
  /** Absent when no worker answers. */
  readonly pending?: readonly PendingInput[]
  readonly approvals?: readonly PendingApproval[]
  readonly clientCalls?: readonly ClientCall[]
}

export interface StepSpending {
  readonly step: number
  readonly cost: number | null
}

/** Of a Turn: what it has spent, by Step. */
export interface TurnSpending {
  readonly cost?: number | null
  readonly steps?: number | readonly StepSpending[]
  readonly perStep?: readonly StepSpending[]
}

export interface AgentDescription {
  readonly name: string
  readonly model?: string
  readonly limits?: TurnLimits
}

export interface ConsoleConfig {
  readonly temporalUiUrl?: string
  readonly namespace: string
  readonly tenant: string
  readonly version?: string
  readonly taskQueue?: string
}

export interface SpillPageAnswer {
  readonly id: string
  readonly bytes: number
  readonly lines: number
  readonly text: string
  readonly next?: { readonly line: number; readonly column: number }
}

export interface SpillMatchesAnswer {
  readonly matches: readonly { readonly line: number; readonly column: number; readonly text: string }[]
  readonly total: number
  /** Set when the search took too long: what is behind was not searched. */
  readonly next?: { readonly line: number }
}

export interface AbortAnswer {
  readonly turnId?: string
  readonly reason?: string
  readonly inputs?: readonly { readonly id: string; readonly fate: string }[]
}
