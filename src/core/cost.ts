/**
 * What model calls cost, by the agent's price.
 */
import type { Usage } from './usage.ts'

/** US dollars per million tokens, which is micro-dollars a token. Counted to six decimals. */
export interface Price {
  readonly inputUsdPerMillion: number
  readonly outputUsdPerMillion: number
  /** Of the input tokens that the provider had in its cache. Default: as any other input. */
  readonly cachedInputUsdPerMillion?: number
}

/** Prices are counted in millionths, as whole numbers, so that no sum is rounded up for a binary fraction. */
const PARTS = 1_000_000

/** Micro-USD of one model call, a whole number, rounded up. Cached tokens are part of the input and paid once. */
export function costOf(usage: Usage, price: Price): number {
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const parts =
    (usage.inputTokens - cached) * inParts(price.inputUsdPerMillion) +
    cached * inParts(price.cachedInputUsdPerMillion ?? price.inputUsdPerMillion) +
    usage.outputTokens * inParts(price.outputUsdPerMillion)
  return Math.ceil(parts / PARTS)
}

/** Tokens of a call, as budgets count them: in and out, cached ones too. */
export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens
}

function inParts(usdPerMillion: number): number {
  return Math.round(usdPerMillion * PARTS)
}
