import { describe, expect, it } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent.ts'
import { createAgent, DEFAULT_LIMITS } from '../../src/core/agent.ts'

const definition: AgentDefinition = {
  name: 'tester',
  instructions: 'Test.',
  model: { name: 'none', respond: () => Promise.reject(new Error('no model')) },
}
const price = { inputUsdPerMillion: 0.15, outputUsdPerMillion: 0.6, cachedInputUsdPerMillion: 0.075 }

describe('createAgent', () => {
  it('keeps budgets and price in the snapshot', () => {
    const limits = {
      maxTokens: 1,
      maxCostMicroUsd: 2,
      maxSessionTokens: 3,
      maxSessionCostMicroUsd: 4,
    }
    const { snapshot } = createAgent({ ...definition, limits, price })
    expect(snapshot.limits).toMatchObject(limits)
    expect(snapshot.price).toEqual(price)
  })

  it('has neither unless it is told to', () => {
    const { snapshot } = createAgent(definition)
    expect(snapshot).not.toHaveProperty('price')
    expect(snapshot.limits).toEqual(DEFAULT_LIMITS)
  })

  it.each<[field: string, over: Partial<AgentDefinition>]>([
    ['limits.maxTokens must be a whole number above 0, not 0', { limits: { maxTokens: 0 } }],
    [
      'limits.maxSessionTokens must be a whole number above 0, not 1.5',
      { limits: { maxSessionTokens: 1.5 } },
    ],
    ['price must be given, because limits.maxCostMicroUsd is', { limits: { maxCostMicroUsd: 10 } }],
    [
      'price must be given, because limits.maxSessionCostMicroUsd is',
      { limits: { maxSessionCostMicroUsd: 10 } },
    ],
    [
      'price.inputUsdPerMillion must be a number of US dollars from 0 on, not -1',
      { price: { ...price, inputUsdPerMillion: -1 } },
    ],
    [
      'price.outputUsdPerMillion must be a number of US dollars from 0 on, not NaN',
      { price: { ...price, outputUsdPerMillion: Number.NaN } },
    ],
    [
      'price.cachedInputUsdPerMillion must be a number of US dollars from 0 on, not Infinity',
      { price: { ...price, cachedInputUsdPerMillion: Number.POSITIVE_INFINITY } },
    ],
    [
      'policy.approvalTimeoutMs must be a whole number of milliseconds from 1 to 31622400000',
      { policy: { approvalTimeoutMs: Number.MAX_SAFE_INTEGER } },
    ],
  ])('says that %s', (problem, over) => {
    expect(() => createAgent({ ...definition, ...over })).toThrow(`Agent "tester": ${problem}.`)
  })
})
