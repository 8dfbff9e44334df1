/**
 * Loop guard: notices that a Turn asks for the same call again and gets the same answer.
 *
 * Plain data in, plain data out, because the state travels through continue-as-new. It starts empty with each
 * Turn, and a claimed steer empties it.
 *
 * 1. One call: a `read` or `idempotent` call runs, runs once more (its result may then be told as "unchanged"),
 *    and is `repeated` the third time. A `once` call is `repeated` as soon as it may have had its effect. A
 *    result that differs from the last one is progress: the count starts again.
 * 2. A call that ran and does more than read makes the guard forget all others: what they say may have changed.
 *    Calls of one Step run side by side, so there it only makes the counts of the others start again.
 * 3. Blocks: when the last p Steps (p from 1 to 4) repeat the p before them, with the same results, a Step that
 *    begins the third round is `repeated` whole, whatever the effects of its calls. Not if one of these Steps
 *    asked the same as another and got something else.
 * 4. A poll has its own limits instead, counted from its first call; without any it always runs.
 * 5. Calls that could not run are remembered like calls whose result is their failure. They are answered
 *    before the guard could judge them, so they show in {@link isStalledStep} only.
 */
import { mixedDigest } from './mixed-digest.ts'
import type { ReceiptKind, ToolEffect } from './receipt.ts'

/** Opaque outside this module; plain JSON, at most about 5 kB. */
export interface GuardState {
  /** The last calls, least recent first. */
  readonly memory: readonly RememberedCall[]
  /** The last Steps, oldest first. */
  readonly steps: readonly RememberedStep[]
}

interface RememberedCall {
  readonly fingerprint: string
  readonly receipt: ReceiptKind
  readonly digest?: string
  /** How often in a row it had this outcome; of a poll, how often it ran. */
  readonly count: number
  /** Of a poll: when its first call was recorded. */
  readonly sinceMs?: number
}

/** A Step in digest: what it asked for, and with what outcome. */
interface RememberedStep {
  readonly asked: string
  readonly outcome: string
}

export const EMPTY_GUARD: GuardState = { memory: [], steps: [] }

/** A call as the guard sees it before it runs. */
export interface GuardedCall {
  /** Digest of tool and canonical arguments. */
  readonly fingerprint: string
  readonly effect: ToolEffect
  readonly poll?: { readonly maxCalls?: number; readonly maxDurationMs?: number }
}

export type GuardVerdict =
  /** Run it; if the result has this digest, tell the model "unchanged" instead of sending it again. */
  | { readonly kind: 'run'; readonly unchangedIf?: string }
  /** The same call stands earlier in this Step, at this index, and runs: its result answers this one, too. */
  | { readonly kind: 'shared'; readonly with: number }
  | { readonly kind: 'repeated' }

/** What became of a call, in the order of the calls of its Step. */
export interface GuardedResult extends GuardedCall {
  readonly receipt: ReceiptKind
  /** Digest of the tool's real result; absent for receipts that no tool produced. */
  readonly resultDigest?: string
}

const MAX_CALLS = 20
const MAX_PERIOD = 4
const MAX_STEPS = 2 * MAX_PERIOD

const RUN: GuardVerdict = { kind: 'run' }
const REPEATED: GuardVerdict = { kind: 'repeated' }

/** Receipts of calls that ran, or may have. */
const RAN: ReadonlySet<ReceiptKind> = new Set(['ok', 'failed', 'timed-out', 'cancelled', 'outcome-unknown'])
/** Receipts after which a `once` call may have had its effect. */
const MAY_HAVE_ACTED: ReadonlySet<ReceiptKind> = new Set(['ok', 'timed-out', 'cancelled', 'outcome-unknown'])
/** Receipts of calls that cannot run however often they are tried. */
const UNRUNNABLE: ReadonlySet<ReceiptKind> = new Set(['invalid-arguments', 'unknown-tool'])
/** Receipts that say nothing about the call: it was stopped, or the message it came in was cut. */
const UNTRIED: ReadonlySet<ReceiptKind> = new Set(['not-started', 'output-cut'])

/** Judges the calls of one Step, in order. `nowMs` is workflow time, for polls that are limited by duration. */
export function judgeCalls(
  state: GuardState,
  calls: readonly GuardedCall[],
  nowMs: number,
): readonly GuardVerdict[] {
  const isThirdRound = beginsThirdRound(
    state.steps,
    digestOf(withoutPolls(calls).map((call) => call.fingerprint)),
  )
  const verdicts: GuardVerdict[] = []
  const firstIndex = new Map<string, number>()
  calls.forEach((call, index) => {
    const first = firstIndex.get(call.fingerprint)
    if (first === undefined) {
      firstIndex.set(call.fingerprint, index)
      verdicts.push(call.poll === undefined && isThirdRound ? REPEATED : judgeCall(state, call, nowMs))
    } else {
      const canShare = call.effect !== 'once' && verdicts[first]?.kind === 'run'
      verdicts.push(canShare ? { kind: 'shared', with: first } : REPEATED)
    }
  })
  return verdicts
}

/** The state after a Step whose calls had these results, those that could not run included. */
export function recordResults(
  state: GuardState,
  results: readonly GuardedResult[],
  nowMs: number,
): GuardState {
  const tried = distinct(results).filter((result) => !UNTRIED.has(result.receipt))
  const changers = tried.filter((result) => result.effect !== 'read' && RAN.has(result.receipt))
  const kept = state.memory.filter((entry) =>
    changers.every((changer) => changer.fingerprint === entry.fingerprint),
  )
  const fresh = tried.flatMap((result) => remember(kept, result, nowMs))
  const replaced = new Set(fresh.map((entry) => entry.fingerprint))
  return {
    memory: [...kept.filter((entry) => !replaced.has(entry.fingerprint)), ...fresh].slice(-MAX_CALLS),
    steps: [...state.steps, ...rememberStep(state, tried)].slice(-MAX_STEPS),
  }
}

/** What the guard remembers after a steer was claimed: nothing, since the user may want things done again. */
export function clearGuard(): GuardState {
  return EMPTY_GUARD
}

/**
 * Whether a Step with these results brought nothing: it had calls, and each was `repeated`, or could not run
 * for at least the third time in a row. `before` is the state that the Step was judged with.
 */
export function isStalledStep(before: GuardState, results: readonly GuardedResult[]): boolean {
  const isVain = (result: GuardedResult): boolean => {
    if (result.receipt === 'repeated') return true
    const known = recall(before.memory, result.fingerprint)
    return (
      UNRUNNABLE.has(result.receipt) && known !== undefined && known.count >= 2 && hasOutcome(known, result)
    )
  }
  return results.length > 0 && results.every(isVain)
}

function judgeCall(state: GuardState, call: GuardedCall, nowMs: number): GuardVerdict {
  const known = recall(state.memory, call.fingerprint)
  if (known === undefined) return RUN
  if (call.poll !== undefined) {
    const { maxCalls = Infinity, maxDurationMs = Infinity } = call.poll
    const isSpent = known.count >= maxCalls || nowMs - (known.sinceMs ?? nowMs) >= maxDurationMs
    return isSpent ? REPEATED : RUN
  }
  if (known.count >= 2) return REPEATED
  if (call.effect === 'once') return MAY_HAVE_ACTED.has(known.receipt) ? REPEATED : RUN
  return known.receipt === 'ok' && known.digest !== undefined
    ? { kind: 'run', unchangedIf: known.digest }
    : RUN
}

function remember(kept: readonly RememberedCall[], result: GuardedResult, nowMs: number): RememberedCall[] {
  const known = recall(kept, result.fingerprint)
  if (result.receipt === 'repeated') return known === undefined ? [] : [known]
  const outcome = {
    fingerprint: result.fingerprint,
    receipt: result.receipt,
    ...(result.resultDigest === undefined ? {} : { digest: result.resultDigest }),
  }
  if (result.poll !== undefined)
    return [{ ...outcome, count: (known?.count ?? 0) + 1, sinceMs: known?.sinceMs ?? nowMs }]
  return [{ ...outcome, count: known !== undefined && hasOutcome(known, result) ? known.count + 1 : 1 }]
}

function recall(memory: readonly RememberedCall[], fingerprint: string): RememberedCall | undefined {
  return memory.find((entry) => entry.fingerprint === fingerprint)
}

function hasOutcome(known: RememberedCall, result: GuardedResult): boolean {
  return known.receipt === result.receipt && known.digest === result.resultDigest
}

/** Polls and calls that could not run are no part of a block. */
function rememberStep(state: GuardState, tried: readonly GuardedResult[]): RememberedStep[] {
  const calls = withoutPolls(tried).filter((result) => !UNRUNNABLE.has(result.receipt))
  if (calls.length === 0) return []
  const asked = digestOf(calls.map((call) => call.fingerprint))
  const isRepeatedWhole = calls.every((call) => call.receipt === 'repeated')
  const original = isRepeatedWhole ? state.steps.findLast((step) => step.asked === asked) : undefined
  const outcome =
    original?.outcome ??
    digestOf(calls.map((call) => outcomeText(recall(state.memory, call.fingerprint), call)))
  return [{ asked, outcome }]
}

/** A call that was repeated stands for the outcome that it had before. */
function outcomeText(known: RememberedCall | undefined, result: GuardedResult): string {
  if (result.receipt !== 'repeated')
    return `${result.fingerprint} ${result.receipt} ${result.resultDigest ?? ''}`
  return `${result.fingerprint} ${known?.receipt ?? 'repeated'} ${known?.digest ?? ''}`
}

function beginsThirdRound(steps: readonly RememberedStep[], asked: string): boolean {
  for (let period = 1; period <= MAX_PERIOD; period += 1) {
    const rounds = steps.slice(-2 * period)
    if (rounds.length === 2 * period && rounds[0]?.asked === asked && isSameTwice(rounds, period)) return true
  }
  return false
}

function isSameTwice(rounds: readonly RememberedStep[], period: number): boolean {
  const outcomes = new Map<string, string>()
  return rounds.every((step, index) => {
    const isAlike = rounds[index % period]?.asked === step.asked
    const isConstant = (outcomes.get(step.asked) ?? step.outcome) === step.outcome
    outcomes.set(step.asked, step.outcome)
    return isAlike && isConstant
  })
}

function distinct<T extends GuardedCall>(calls: readonly T[]): T[] {
  const seen = new Set<string>()
  return calls.filter((call) => !seen.has(call.fingerprint) && seen.add(call.fingerprint))
}

function withoutPolls<T extends GuardedCall>(calls: readonly T[]): T[] {
  return distinct(calls).filter((call) => call.poll === undefined)
}

/** The order of calls within a Step does not matter. */
function digestOf(parts: readonly string[]): string {
  return mixedDigest([...parts].sort().join('\n'))
}
