/**
 * Budgets: what a Turn may spend on model calls, of its own and of what its Session has left.
 *
 * They gate model calls only, before each: a Step that was admitted runs whole. Spending is counted from the log,
 * with every attempt that was paid for.
 */
import type { AgentLimits } from './agent.ts'
import { costOf, type Price, tokensOf } from './cost.ts'
import type { Event } from './event.ts'
import type { SessionMemory } from './log-head.ts'

/** Absent fields are unlimited. What the Session has left may be nothing, or less. */
export interface Budget {
  readonly tokens?: number
  readonly costMicroUsd?: number
  readonly sessionTokens?: number
  readonly sessionCostMicroUsd?: number
}

/** What a Turn has spent; the cost is 0 without a price. A pair, because every Step writes it into history. */
export type Spending = readonly [tokens: number, costMicroUsd: number]

export const NOTHING_SPENT: Spending = [0, 0]

/** The end that a spent budget brings. */
export interface BudgetEnd {
  readonly reason: 'token-budget' | 'cost-budget'
  /** Set when it is the Session's budget, which the next Turn does not have again. */
  readonly scope?: 'session'
}

/** The budget of a Session's next Turn; undefined when nothing limits it. */
export function budgetOf(limits: AgentLimits, memory: SessionMemory = {}): Budget | undefined {
  const { maxTokens, maxCostMicroUsd, maxSessionTokens, maxSessionCostMicroUsd } = limits
  const budget: Budget = {
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    ...(maxCostMicroUsd === undefined ? {} : { costMicroUsd: maxCostMicroUsd }),
    ...(maxSessionTokens === undefined ? {} : { sessionTokens: maxSessionTokens - (memory.tokens ?? 0) }),
    ...(maxSessionCostMicroUsd === undefined
      ? {}
      : { sessionCostMicroUsd: maxSessionCostMicroUsd - (memory.costMicroUsd ?? 0) }),
  }
  return Object.keys(budget).length > 0 ? budget : undefined
}

/** Which budget is spent, if one is. The Session's come first: they are the ones that a new Turn does not renew. */
export function spentBudget(budget: Budget, [tokens, costMicroUsd]: Spending): BudgetEnd | undefined {
  const isSpent = (limit: number | undefined, spent: number): boolean => limit !== undefined && spent >= limit
  if (isSpent(budget.sessionTokens, tokens)) return { reason: 'token-budget', scope: 'session' }
  if (isSpent(budget.sessionCostMicroUsd, costMicroUsd)) return { reason: 'cost-budget', scope: 'session' }
  if (isSpent(budget.tokens, tokens)) return { reason: 'token-budget' }
  return isSpent(budget.costMicroUsd, costMicroUsd) ? { reason: 'cost-budget' } : undefined
}

/** The spending with further events of the same Turn. */
export function addSpending(spent: Spending, events: readonly Event[], price: Price | undefined): Spending {
  return events.reduce<Spending>(
    ([tokens, costMicroUsd], event) =>
      event.type === 'assistant/message' || event.type === 'attempt/lost'
        ? [
            tokens + tokensOf(event.usage),
            costMicroUsd + (price === undefined ? 0 : costOf(event.usage, price)),
          ]
        : [tokens, costMicroUsd],
    spent,
  )
}
