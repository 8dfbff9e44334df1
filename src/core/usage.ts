/**
 * Token counts of model calls.
 */

/** Tokens of one or more model calls. `estimated` is set when any part was not reported by the provider. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
  readonly estimated?: true
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

/** Adds two counts; the sum is estimated if either is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cached = (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0)
  const reasoning = (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    ...(reasoning > 0 ? { reasoningTokens: reasoning } : {}),
    ...(a.estimated || b.estimated ? { estimated: true } : {}),
  }
}

/** A rough count for text whose real count the provider did not report: four UTF-16 units a token, rounded up. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
