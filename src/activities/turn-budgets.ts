/**
 * What Turns with a budget have spent, by their logs, remembered per process.
 *
 * What is remembered only saves reading: a count is read on from where it was left, so that a Step costs the same
 * late in a Turn as early. Attempts that were noted late, for an earlier Step, are counted too.
 */
import type { BudgetEnd, Spending } from '../core/budget.ts'
import { addSpending, budgetOf, NOTHING_SPENT, spentBudget } from '../core/budget.ts'
import type { SessionKey } from '../core/ids.ts'
import { workflowIdOf } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import type { SessionStore } from '../core/ports.ts'
import type { AgentSnapshots } from './agent-snapshots.ts'
import { patiently } from './commit-result.ts'

const MAX_SESSIONS = 200

/** The budget of one Turn. Both answer undefined for an agent that has none. */
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

interface Count {
  readonly turnId: string
  readonly seq: number
  readonly spent: Spending
}

export class TurnBudgets {
  readonly #store: SessionStore
  readonly #snapshots: AgentSnapshots
  /** By Session, in order of last use. */
  readonly #counts = new Map<string, Count>()

  constructor(store: SessionStore, snapshots: AgentSnapshots) {
    this.#store = store
    this.#snapshots = snapshots
  }

  /** The budget of the Turn that is open in `head`. */
  async of(key: SessionKey, head: LogHead): Promise<TurnBudget> {
    const { open, memory } = head
    if (open === undefined) return NO_BUDGET
    const snapshot = await patiently(() => this.#snapshots.load(key.tenant, open.agentDigest))
    const budget = snapshot && budgetOf(snapshot.limits, memory)
    if (budget === undefined) return NO_BUDGET
    const spent = async (): Promise<Spending> => {
      const { seq, spent: before } = this.#countOf(key, open.turnId)
      const types = ['assistant/message', 'attempt/lost'] as const
      const events = await patiently(() =>
        this.#store.read(key, { turnId: open.turnId, afterSeq: seq, types }),
      )
      const now = addSpending(before, events, snapshot?.price)
      this.#keep(key, { turnId: open.turnId, seq: events.at(-1)?.seq ?? seq, spent: now })
      return now
    }
    return { spent, end: async () => spentBudget(budget, await spent()) }
  }

  #countOf(key: SessionKey, turnId: string): Count {
    const known = this.#counts.get(workflowIdOf(key))
    return known?.turnId === turnId ? known : { turnId, seq: 0, spent: NOTHING_SPENT }
  }

  #keep(key: SessionKey, count: Count): void {
    const id = workflowIdOf(key)
    this.#counts.delete(id)
    this.#counts.set(id, count)
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= MAX_SESSIONS) break
      this.#counts.delete(oldest)
    }
  }
}

/** What an answer says of the Turn's spending, left out when nothing limits it. */
export async function spentOf(budget: TurnBudget): Promise<{ readonly spent?: Spending }> {
  const spent = await budget.spent()
  return spent === undefined ? {} : { spent }
}
