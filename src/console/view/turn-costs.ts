import type { TurnSpending } from '../api/answers.ts'

/** Micro-USD of a Turn and its Steps, where they have a price. */
export interface TurnCosts {
  readonly total?: number
  readonly bySteps: ReadonlyMap<number, number>
}

export function costsOf({ cost, steps, perStep }: TurnSpending): TurnCosts {
  const all = Array.isArray(steps) ? steps : (perStep ?? [])
  return {
    ...(typeof cost === 'number' ? { total: cost } : {}),
    bySteps: new Map(
      all.flatMap((step) => (typeof step.cost === 'number' ? [[step.step, step.cost] as const] : [])),
    ),
  }
}
