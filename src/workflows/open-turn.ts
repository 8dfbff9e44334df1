/**
 * Opening: claims the inputs that open the Turn, or takes up a Turn that goes on in this run.
 */
import type { WorkflowInfo } from '@temporalio/workflow'
import { CancellationScope } from '@temporalio/workflow'
import { EMPTY_GUARD } from '../core/loop-guard.ts'
import type { CarriedReceipt, CarriedTurn, TurnOpening, TurnPhase } from '../core/wire.ts'
import { NO_COUNTERS } from '../core/wire.ts'
import * as activities from './activity-options.ts'
import type { TurnInbox } from './receive-inputs.ts'
import { answerStatus } from './receive-inputs.ts'
import type { TurnClock } from './turn-clock.ts'

/** A Turn as it runs. Its fields are what a mid-Turn continuation carries, and what the run itself knows. */
export interface RunningTurn {
  readonly kind: 'running'
  readonly turnId: string
  readonly turn: number
  readonly plan: CarriedTurn['plan']
  step: number
  guard: CarriedTurn['guard']
  counters: CarriedTurn['counters']
  /** The last `seq` that an activity has told. */
  seq: number
  /** Only for an agent with a budget. */
  spent: CarriedTurn['spent']
  phase: TurnPhase
  /** Receipts decided here, to be written with the next commit. */
  receipts: readonly CarriedReceipt[]
  readonly remainingMs: number
  /** Runs while Steps are taken. */
  clock?: TurnClock
  /** The call whose decision asked for a new plan; the next Step notes it. */
  replan?: string | undefined
  /** Steps taken in earlier runs of this Turn. */
  readonly stepsBefore: number
  /** Set when the opening found that the Turn cannot run. */
  readonly error?: string
}

export type Opened = RunningTurn | { readonly kind: 'nothing-opened' } | { readonly kind: 'spent' }

/**
 * Shielded: once inputs are offered to the opening they are claimed, whatever happens, and a Turn that was
 * cancelled before its first activation ends `aborted` instead of starting again uncancelled.
 */
export async function openTurn(opening: TurnOpening, inbox: TurnInbox, info: WorkflowInfo): Promise<Opened> {
  return CancellationScope.nonCancellable(async () => {
    const carried = opening.turn
    if (carried === undefined) return openNewTurn(inbox, info)
    const { turnId, turn } = carried
    inbox.belongsTo(turnId, carried.claimed)
    const continued = running(carried)
    await activities.continueTurn({ turnId, turn, ...runIds(info) })
    return continued
  })
}

async function openNewTurn(inbox: TurnInbox, info: WorkflowInfo): Promise<Opened> {
  while (!inbox.isEmpty) {
    if (inbox.isSpent) return { kind: 'spent' }
    const answer = await activities.openTurn({
      ...runIds(info),
      steers: inbox.offerSteers(),
      followups: inbox.offerFollowups(),
      refused: inbox.refused,
    })
    // First whose Turn it is: a stop that means what was just claimed must still find it.
    if (answer.kind === 'opened') inbox.belongsTo(answer.turnId, answer.recorded.claimed ?? [])
    inbox.settle(answer.recorded)
    if (answer.kind === 'nothing-opened') continue
    return running({
      ...answer,
      step: 0,
      guard: EMPTY_GUARD,
      counters: NO_COUNTERS,
      remainingMs: answer.plan.maxDurationMs,
      ...(answer.error === undefined ? {} : { error: answer.error }),
    })
  }
  return { kind: 'nothing-opened' }
}

function running(
  from: Pick<
    CarriedTurn,
    | 'turnId'
    | 'turn'
    | 'plan'
    | 'step'
    | 'guard'
    | 'counters'
    | 'remainingMs'
    | 'seq'
    | 'spent'
    | 'receipts'
    | 'replan'
  > & {
    readonly error?: string
  },
): RunningTurn {
  const { turnId, turn: ordinal, plan, step, guard, counters, remainingMs, seq, spent, error } = from
  const { receipts = [], replan } = from
  const turn: RunningTurn = {
    kind: 'running',
    turnId,
    turn: ordinal,
    plan,
    step,
    guard,
    counters,
    seq,
    spent,
    phase: 'pending',
    receipts,
    ...(replan === undefined ? {} : { replan }),
    remainingMs,
    stepsBefore: step,
    ...(error === undefined ? {} : { error }),
  }
  return turn
}

/** Keeps the `status` query on this Turn. */
export function showStatus(turn: RunningTurn, inbox: TurnInbox): void {
  answerStatus(() => ({
    turnId: turn.turnId,
    turn: turn.turn,
    step: turn.step,
    phase: turn.phase,
    isStopping: inbox.stop !== undefined,
  }))
}

function runIds(info: WorkflowInfo): { readonly runId: string; readonly firstExecutionRunId: string } {
  return { runId: info.runId, firstExecutionRunId: info.firstExecutionRunId }
}
