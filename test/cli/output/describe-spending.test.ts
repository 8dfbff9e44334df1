import { describe, expect, it } from 'vitest'
import { describeSpending } from '../../../src/cli/output/describe-spending.ts'

describe('describeSpending', () => {
  it.each([
    [{ tokens: 1_234, cost: 12_300 }, '1,234 tokens, $0.0123'],
    [{ tokens: 1, cost: 1 }, '1 token, $0.000001'],
    [{ tokens: 0, cost: 0 }, '0 tokens, $0.00'],
    [{ tokens: 10, cost: 1_500_000 }, '10 tokens, $1.50'],
    [{ tokens: 10, cost: 10_000_000 }, '10 tokens, $10.00'],
    [{ tokens: 10, cost: null }, '10 tokens'],
    [{ tokens: 10, isEstimated: true }, 'about 10 tokens'],
  ] as const)('puts %j as %j', (spending, words) => {
    expect(describeSpending(spending)).toBe(words)
  })
})
