/**
 * What a Turn may spend and has spent: Steps, time, tokens, money, against limits where they are known.
 */
import { formatCost, formatCount, formatDuration } from './format.ts'
import type { TurnView } from './turn-view.ts'

/** The limits of an agent that gate its Turns; absent fields are unlimited or not known. */
export interface TurnLimits {
  readonly maxSteps?: number
  readonly maxDurationMs?: number
  readonly maxTokens?: number
  readonly maxCostMicroUsd?: number
}

export interface BudgetRow {
  readonly name: 'Steps' | 'Time' | 'Tokens' | 'Cost'
  readonly used: number
  readonly limit?: number
  /** Both as people read them. */
  readonly text: string
}

/** `cost` in micro-USD; null, or absent, where it is not known. Time stands still while a human or client is waited for. */
export function budgetsOf(
  turn: TurnView,
  {
    limits = {},
    cost,
    now,
  }: { limits?: TurnLimits | undefined; cost?: number | null | undefined; now: number },
): readonly BudgetRow[] {
  const row = (
    name: BudgetRow['name'],
    { used, limit }: { used: number; limit: number | undefined },
    format: (value: number) => string,
  ): BudgetRow => ({
    name,
    used,
    ...(limit === undefined ? {} : { limit }),
    text: limit === undefined ? format(used) : `${format(used)} of ${format(limit)}`,
  })
  const spent = turn.end?.cost ?? cost ?? undefined
  const until = Date.parse(turn.end?.at ?? '') || now
  const { ms, since } = turn.waited
  const waitedMs = ms + (since === undefined ? 0 : Math.max(0, until - Date.parse(since)))
  return [
    row('Steps', { used: turn.steps.length, limit: limits.maxSteps }, String),
    row(
      'Time',
      { used: Math.max(0, until - Date.parse(turn.startedAt) - waitedMs), limit: limits.maxDurationMs },
      formatDuration,
    ),
    row('Tokens', { used: turn.tokens, limit: limits.maxTokens }, formatCount),
    ...(spent === undefined ? [] : [row('Cost', { used: spent, limit: limits.maxCostMicroUsd }, formatCost)]),
  ]
}
