/**
 * The tool calls of one Step: judged by the loop guard, run side by side, their outcomes remembered.
 */
import type { CallModelAnswer, PlannedCall } from '../activities/contracts.ts'
import type { GuardedCall, GuardedResult, GuardVerdict } from '../core/loop-guard.ts'
import { clearGuard, isStalledStep, judgeCalls, recordResults } from '../core/loop-guard.ts'
import type { ToolPlan } from '../core/wire.ts'
import { OpenCalls } from './open-calls.ts'
import type { RunningTurn } from './open-turn.ts'
import type { StepOutcome } from './outcomes.ts'
import type { TurnInbox } from './receive-inputs.ts'
import type { CallEnd } from './settle-call.ts'
import { settleCall } from './settle-call.ts'
import type { Settled } from './settle-within.ts'

type CallsAnswer = Extract<CallModelAnswer, { kind: 'calls' }>

/** Steps in a row that brought nothing and so end the Turn. */
const MAX_STALLED = 3

/** A tool that the plan does not know cannot be run; the activity says so. */
const UNKNOWN_TOOL: ToolPlan = { effect: 'once', timeoutMs: 1_000 }

export async function runCalls(
  turn: RunningTurn,
  inbox: TurnInbox,
  answer: CallsAnswer,
): Promise<StepOutcome> {
  turn.phase = 'tool_calling'
  const calls = answer.calls.map((call) => guarded(turn, call))
  const verdicts = judgeCalls(turn.guard, calls, Date.now())
  turn.receipts = answer.calls
    .filter((_, index) => verdicts[index]?.kind === 'repeated')
    .map(({ id }) => [id, 'repeated'])
  turn.phase = 'tool_executing'
  const open = answer.calls.filter((_, index) => verdicts[index]?.kind === 'run').map(({ id }) => id)
  inbox.expectCalls(open)
  const step = { turn, inbox, verdicts, answer, calls: new OpenCalls(turn, open) }
  const settled = await Promise.all(answer.calls.map((call, index) => run(step, call, index)))
  if (settled.some((one) => one?.kind === 'stopped')) return { kind: 'stopped' }

  const results: GuardedResult[] = []
  for (const [index, call] of calls.entries()) {
    const verdict = verdicts[index]
    const outcome = settled[verdict?.kind === 'shared' ? verdict.with : index]
    if (outcome?.kind !== 'answered') {
      results.push({ ...call, receipt: 'repeated' })
      continue
    }
    const { value } = outcome
    if (value.kind === 'turn-closed') return { kind: 'end', reason: 'error', code: 'terminated' }
    if (value.kind === 'log-behind') return { kind: 'end', reason: 'error', code: 'log-behind' }
    turn.seq = Math.max(turn.seq, value.seq)
    results.push({
      ...call,
      receipt: value.kind,
      ...(value.digest === undefined ? {} : { resultDigest: value.digest }),
    })
  }
  turn.replan = step.calls.replan
  return remember(turn, answer, results)
}

interface CallsOfStep {
  readonly turn: RunningTurn
  readonly inbox: TurnInbox
  readonly verdicts: readonly GuardVerdict[]
  readonly answer: CallsAnswer
  readonly calls: OpenCalls
}

/** Starts a call that is to run; a call that shares another's execution is answered by that one. */
async function run(
  step: CallsOfStep,
  call: PlannedCall,
  index: number,
): Promise<Settled<CallEnd> | undefined> {
  const { turn, inbox, verdicts, answer, calls } = step
  const verdict = verdicts[index]
  if (verdict?.kind !== 'run') return undefined
  const sharedBy = answer.calls.filter((_, other) => isSharedWith(verdicts[other], index)).map(({ id }) => id)
  const request = {
    turnId: turn.turnId,
    callId: call.id,
    seq: turn.seq,
    ...(verdict.unchangedIf === undefined ? {} : { unchangedIf: verdict.unchangedIf }),
    ...(sharedBy.length > 0 ? { sharedBy } : {}),
  }
  const { timeoutMs } = turn.plan.tools[call.tool] ?? UNKNOWN_TOOL
  const settled = await settleCall(turn, inbox, {
    request,
    timeoutMs,
    calls,
    needsApproval: call.ask === true,
  })
  if (settled.kind === 'answered' && 'replan' in settled.value) calls.planAnew(call.id)
  return settled
}

function isSharedWith(verdict: GuardVerdict | undefined, index: number): boolean {
  return verdict?.kind === 'shared' && verdict.with === index
}

function remember(turn: RunningTurn, answer: CallsAnswer, results: readonly GuardedResult[]): StepOutcome {
  const unrunnable = (answer.unrunnable ?? []).map(
    ({ print, kind }): GuardedResult => ({ fingerprint: print, effect: 'read', receipt: kind }),
  )
  const all = [...unrunnable, ...results]
  const { counters } = turn
  const stalled = isStalledStep(turn.guard, all) ? counters.stalled + 1 : 0
  turn.counters = { ...counters, stalled, receipts: counters.receipts + all.length }
  turn.guard = turn.replan === undefined ? recordResults(turn.guard, all, Date.now()) : clearGuard()
  return stalled < MAX_STALLED ? { kind: 'next' } : { kind: 'end', reason: 'stalled' }
}

function guarded(turn: RunningTurn, call: PlannedCall): GuardedCall {
  const { effect, poll } = turn.plan.tools[call.tool] ?? UNKNOWN_TOOL
  return { fingerprint: call.print, effect, ...(poll === undefined ? {} : { poll }) }
}
