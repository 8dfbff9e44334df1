/**
 * What a Turn with a budget has spent, by its log.
 *
 * Reads on from where the workflow's count ends, so that it costs the same late in a Turn as early, and so that
 * attempts which were noted late, for an earlier Step, are counted too.
 */
import type { BudgetEnd, Spending } from '../core/budget.ts'
import { addSpending, budgetOf, NOTHING_SPENT, spentBudget } from '../core/budget.ts'
import type { SessionKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import { patiently } from './commit-result.ts'
import type { CallModelRequest } from './contracts.ts'
import type { BoundPorts } from './ports.ts'

/** Both answer undefined for an agent without a budget. */
export interface TurnBudget {
  /** What is spent now. */
  spent(): Promise<Spending | undefined>
  /** The end that is due before another attempt may be made, if one is. */
  end(): Promise<BudgetEnd | undefined>
}

const NO_BUDGET: TurnBudget = {
  spent: async () => undefined,
  end: async () => undefined,
}

/** The budget of the open Turn. */
export async function turnBudget(
  { store, snapshots }: BoundPorts,
  of: {
    readonly key: SessionKey
    readonly request: Pick<CallModelRequest, 'turnId' | 'spent'>
    readonly head: LogHead
  },
): Promise<TurnBudget> {
  const { key, request, head } = of
  const snapshot = await patiently(() => snapshots.load(key.tenant, head.open?.agentDigest ?? ''))
  const budget = snapshot && budgetOf(snapshot.limits, head.memory)
  if (budget === undefined) return NO_BUDGET
  const before = request.spent ?? NOTHING_SPENT
  const spent = async (): Promise<Spending> => {
    const events = await patiently(() =>
      store.read(key, {
        turnId: request.turnId,
        afterSeq: before.seq,
        types: ['assistant/message', 'attempt/lost'],
      }),
    )
    return addSpending(before, events, snapshot?.price)
  }
  return { spent, end: async () => spentBudget(budget, await spent()) }
}

/** What an answer says of the Turn's spending, left out when nothing limits it. */
export async function spentOf(budget: TurnBudget): Promise<{ readonly spent?: Spending }> {
  const spent = await budget.spent()
  return spent === undefined ? {} : { spent }
}
