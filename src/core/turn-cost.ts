/**
 * What a Turn spent, Step by Step: for whoever wants to know where the money went.
 */
import { costOf, type Price, tokensOf } from './cost.ts'
import type { EventBody } from './event.ts'
import { addUsage, NO_USAGE, type Usage } from './usage.ts'

/** Sums over model calls, attempts that were lost included. */
export interface ModelCost {
  readonly usage: Usage
  /** Micro-USD; null without a price. */
  readonly cost: number | null
  /** Attempts that were paid for and not used. */
  readonly attemptsLost: number
  /** Share of the tokens that the provider reported, 0 to 1; the rest is estimated. 1 when there are none. */
  readonly coverage: number
}

export interface StepCost extends ModelCost {
  readonly step: number
}

export interface TurnCost extends ModelCost {
  readonly turnId: string
  /** Those that asked a model, in order. */
  readonly steps: readonly StepCost[]
}

/** What a Turn's model calls cost, from its events, or those of its whole Session. */
export function costOfTurn(events: readonly EventBody[], turnId: string, price?: Price): TurnCost {
  const calls = events.flatMap((event): readonly ModelCall[] =>
    (event.type === 'assistant/message' || event.type === 'attempt/lost') && event.turnId === turnId
      ? [{ step: event.step, usage: event.usage, isLost: event.type === 'attempt/lost' }]
      : [],
  )
  const steps = [...new Set(calls.map(({ step }) => step))].sort((a, b) => a - b)
  return {
    turnId,
    ...sumOf(calls, price),
    steps: steps.map((step) => ({
      step,
      ...sumOf(
        calls.filter((call) => call.step === step),
        price,
      ),
    })),
  }
}

interface ModelCall {
  readonly step: number
  readonly usage: Usage
  readonly isLost: boolean
}

function sumOf(calls: readonly ModelCall[], price: Price | undefined): ModelCost {
  const tokens = (usages: readonly ModelCall[]): number =>
    usages.reduce((sum, { usage }) => sum + tokensOf(usage), 0)
  const all = tokens(calls)
  const reported = tokens(calls.filter(({ usage }) => usage.estimated !== true))
  return {
    usage: calls.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    cost: price === undefined ? null : calls.reduce((sum, { usage }) => sum + costOf(usage, price), 0),
    attemptsLost: calls.filter(({ isLost }) => isLost).length,
    coverage: all === 0 ? 1 : reported / all,
  }
}
