import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costOf } from '../../src/core/cost.ts'

describe('costOf', () => {
  it.each([
    ['a million tokens in', { inputTokens: 1_000_000, outputTokens: 0 }, 2_500_000],
    ['a million tokens out', { inputTokens: 0, outputTokens: 1_000_000 }, 10_000_000],
    ['nothing', { inputTokens: 0, outputTokens: 0 }, 0],
    ['one token in, rounded up', { inputTokens: 1, outputTokens: 0 }, 3],
    ['an estimate as well', { inputTokens: 100, outputTokens: 10, estimated: true }, 350],
    ['reasoning as part of the output', { inputTokens: 0, outputTokens: 10, reasoningTokens: 8 }, 100],
    [
      'cached input once, at its own price',
      { inputTokens: 1_000, outputTokens: 0, cachedInputTokens: 600 },
      1_150,
    ],
    [
      'no more cached input than there is input',
      { inputTokens: 100, outputTokens: 0, cachedInputTokens: 500 },
      25,
    ],
  ] as const)('counts %s', (_what, usage, microUsd) => {
    const price = { inputUsdPerMillion: 2.5, outputUsdPerMillion: 10, cachedInputUsdPerMillion: 0.25 }
    expect(costOf(usage, price)).toBe(microUsd)
  })

  it('takes cached input for any other without a price of its own', () => {
    const price = { inputUsdPerMillion: 2, outputUsdPerMillion: 0 }
    expect(costOf({ inputTokens: 10, outputTokens: 0, cachedInputTokens: 9 }, price)).toBe(20)
  })

  it('is not rounded up for a binary fraction', () => {
    expect(
      costOf({ inputTokens: 3, outputTokens: 1 }, { inputUsdPerMillion: 0.1, outputUsdPerMillion: 0.7 }),
    ).toBe(1)
    expect(
      costOf({ inputTokens: 300, outputTokens: 0 }, { inputUsdPerMillion: 1.1, outputUsdPerMillion: 0 }),
    ).toBe(330)
  })

  it('costs nothing where the model is free', () => {
    expect(
      costOf({ inputTokens: 9_999, outputTokens: 9 }, { inputUsdPerMillion: 0, outputUsdPerMillion: 0 }),
    ).toBe(0)
  })

  it('is a whole number, and no less for more tokens', () => {
    const tokens = fc.nat(10_000_000)
    const usd = fc.double({ min: 0, max: 1_000, noNaN: true })
    fc.assert(
      fc.property(tokens, tokens, usd, usd, (input, output, inputUsd, outputUsd) => {
        const price = { inputUsdPerMillion: inputUsd, outputUsdPerMillion: outputUsd }
        const cost = costOf({ inputTokens: input, outputTokens: output }, price)
        expect(Number.isSafeInteger(cost)).toBe(true)
        expect(costOf({ inputTokens: input + 1, outputTokens: output }, price)).toBeGreaterThanOrEqual(cost)
      }),
    )
  })
})
