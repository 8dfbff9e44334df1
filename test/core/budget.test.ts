import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/core/agent.ts'
import { addSpending, type Budget, budgetOf, NOTHING_SPENT, spentBudget } from '../../src/core/budget.ts'
import { sampleTurn, seal } from './sample-log.ts'

const turn = sampleTurn('u1')

describe('budgetOf', () => {
  it('limits nothing unless it is told to', () => {
    expect(budgetOf(DEFAULT_LIMITS, { tokens: 1_000_000, costMicroUsd: 5 })).toBeUndefined()
  })

  it('gives a Turn its own budget whole, and of the Session what the Turns before have left', () => {
    const limits = {
      ...DEFAULT_LIMITS,
      maxTokens: 100,
      maxCostMicroUsd: 200,
      maxSessionTokens: 300,
      maxSessionCostMicroUsd: 400,
    }
    expect(budgetOf(limits, { tokens: 250, costMicroUsd: 450 })).toEqual({
      tokens: 100,
      costMicroUsd: 200,
      sessionTokens: 50,
      sessionCostMicroUsd: -50,
    })
  })
})

describe('spentBudget', () => {
  it.each<[what: string, budget: Budget, end: ReturnType<typeof spentBudget>]>([
    ['nothing is limited', {}, undefined],
    ['a token is left', { tokens: 11, costMicroUsd: 21 }, undefined],
    ['the tokens are spent', { tokens: 10 }, { reason: 'token-budget' }],
    ['more is spent than there was', { tokens: 3 }, { reason: 'token-budget' }],
    ['the money is spent', { tokens: 11, costMicroUsd: 20 }, { reason: 'cost-budget' }],
    ['both are spent', { tokens: 10, costMicroUsd: 20 }, { reason: 'token-budget' }],
    ["the Session's tokens are spent", { sessionTokens: 10 }, { reason: 'token-budget', scope: 'session' }],
    [
      'the Session had overspent before',
      { sessionCostMicroUsd: -1 },
      { reason: 'cost-budget', scope: 'session' },
    ],
    [
      "the Turn's and the Session's are spent",
      { tokens: 10, sessionCostMicroUsd: 20 },
      { reason: 'cost-budget', scope: 'session' },
    ],
  ])('knows when %s', (_what, budget, end) => {
    expect(spentBudget(budget, [10, 20])).toEqual(end)
  })
})

describe('addSpending', () => {
  const events = seal([
    turn.start(),
    turn.followup(),
    turn.stepStart(1),
    turn.lost(1, 1),
    turn.says(1, 'It is 42.'),
    turn.stepEnd(1),
  ])
  const price = { inputUsdPerMillion: 1, outputUsdPerMillion: 3 }

  it('counts messages and lost attempts', () => {
    expect(addSpending(NOTHING_SPENT, events, price)).toEqual([18, 28])
  })

  it('comes to the same in parts', () => {
    const first = addSpending(NOTHING_SPENT, events.slice(0, 4), price)
    expect(first).toEqual([3, 3])
    expect(addSpending(first, events.slice(4), price)).toEqual([18, 28])
  })

  it('knows no cost without a price', () => {
    expect(addSpending(NOTHING_SPENT, events, undefined)).toEqual([18, 0])
  })
})
