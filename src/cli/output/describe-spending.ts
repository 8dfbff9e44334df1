/** Tokens, and what they cost if that is known, for a person: `1,234 tokens, $0.0123`. */
export function describeSpending(of: {
  readonly tokens: number
  /** Micro-USD. */
  readonly cost?: number | null
  readonly isEstimated?: boolean
}): string {
  const { tokens, cost, isEstimated = false } = of
  const count = `${isEstimated ? 'about ' : ''}${tokens.toLocaleString('en')} token${tokens === 1 ? '' : 's'}`
  return cost === null || cost === undefined ? count : `${count}, ${describeMicroUsd(cost)}`
}

/** At least two decimals, and no more than it takes. */
function describeMicroUsd(microUsd: number): string {
  const [whole, decimals = ''] = (microUsd / 1_000_000).toFixed(6).split('.')
  return `$${whole}.${decimals.replace(/0{1,4}$/, '')}`
}
