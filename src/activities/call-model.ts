/**
 * One model call: admits its Step, streams the answer, commits what it means.
 *
 * A retry finds what an earlier attempt committed and returns that instead of paying again.
 */
import { CancelledFailure } from '@temporalio/common'
import type { StepAdmission, StepOffer } from '../core/decide-step.ts'
import { decideStep, stepKeys } from '../core/decide-step.ts'
import { progressOf } from '../core/hand-back.ts'
import type { SessionKey } from '../core/ids.ts'
import { modelUnit, stepKey } from '../core/ids.ts'
import type { Recorded } from '../core/inbox.ts'
import type { LogHead } from '../core/log-head.ts'
import type { Attempts } from '../core/ports.ts'
import { answerOf } from './answer-of.ts'
import { isStopRequested, sessionOfActivity } from './attempt.ts'
import { patiently } from './commit-result.ts'
import type { CallModelAnswer, CallModelRequest } from './contracts.ts'
import { judgePending } from './judge-inputs.ts'
import { type AttemptEnd, ModelAttempt } from './model-attempt.ts'
import type { BoundPorts } from './ports.ts'
import { resolveInputs, toBeJudged } from './resolve-inputs.ts'
import { agentOfTurn } from './turn-agent.ts'
import { spentOf, type TurnBudget } from './turn-budgets.ts'

/** Attempts at one call that may lose their worker before the Turn is given up. */
const MAX_LOST_WORKERS = 5
/** An empty completion is asked for once more. */
const MAX_EMPTY = 2

export async function callModel(
  ports: BoundPorts,
  request: CallModelRequest,
  signal: AbortSignal,
): Promise<CallModelAnswer> {
  const key = sessionOfActivity()
  const { admission, head, attempts } = await admit(ports, key, request)
  const budget = await ports.budgets.of(key, head)
  switch (admission.kind) {
    case 'turn-closed':
      return { kind: 'turn-closed' }
    case 'passed':
      return { kind: 'cut', receipts: 0, ...(await spentOf(budget)) }
    case 'log-behind':
      return { kind: 'failed', code: 'log-behind' }
    case 'nothing-claimed':
      return { kind: 'nothing-claimed', seq: head.seq, ...recordedOf(admission.recorded) }
    case 'answered':
      return {
        ...(await committedAnswer(ports, key, request)),
        ...recordedOf(admission.recorded),
        ...(await spentOf(budget)),
      }
    case 'drafted': {
      const { digest } = admission
      return {
        kind: 'draft',
        digest,
        seq: head.seq,
        ...recordedOf(admission.recorded),
        ...(await spentOf(budget)),
      }
    }
    case 'admitted': {
      const answer = await respond(ports, { key, request, signal, head, attempts, budget })
      return { ...answer, ...recordedOf(admission.recorded), ...(await spentOf(budget)) }
    }
  }
}

async function admit(
  ports: BoundPorts,
  key: SessionKey,
  request: CallModelRequest,
): Promise<{
  readonly admission: StepAdmission
  readonly head: LogHead
  readonly attempts: Attempts | undefined
}> {
  const { turnId, turn, step, receipts = [], refused = [] } = request
  const offer: StepOffer = {
    turnId,
    turn,
    step,
    receipts,
    refused,
    steers: toBeJudged(
      await resolveInputs(ports.store, key.tenant, request.steers ?? []),
      request.judge === true,
    ),
    ...(request.replan === undefined ? {} : { replan: await planAnew(ports, key, request) }),
    onlyIfClaimed: request.onlyIfClaimed === true,
    seenSeq: request.seq,
  }
  const result = await ports.store.commit<StepAdmission>(key, {
    keys: stepKeys(offer),
    beginAttempt: modelUnit(turnId, step),
    decide: (view) => decideStep(view, offer),
  })
  if (result.kind === 'refused')
    return { admission: { kind: 'turn-closed' }, head: result.head, attempts: undefined }
  return { admission: result.answer, head: result.head, attempts: result.attempts }
}

/** What stands in place of the tool history that leaves the context. */
async function planAnew(
  ports: BoundPorts,
  key: SessionKey,
  { turnId, replan: callId = '' }: CallModelRequest,
): Promise<NonNullable<StepOffer['replan']>> {
  const events = await ports.store.read(key, { turnId })
  const decided = events.find((event) => event.type === 'approval/decided' && event.callId === callId)
  const note = decided?.type === 'approval/decided' ? decided.note : undefined
  return { callId, summary: progressOf(events), ...(note === undefined ? {} : { note }) }
}

/** A call whose Step is open for this attempt. */
interface AdmittedCall {
  readonly key: SessionKey
  readonly request: CallModelRequest
  readonly signal: AbortSignal
  readonly head: LogHead
  readonly attempts: Attempts | undefined
}

async function respond(
  ports: BoundPorts,
  call: AdmittedCall & { readonly budget: TurnBudget },
): Promise<CallModelAnswer> {
  const { key, request, head, signal, budget } = call
  const found = await agentOfTurn(ports, key, head)
  if (found === undefined) return { kind: 'failed', code: 'unknown-agent' }
  let attempts = call.attempts ?? { number: 1, provider: 0, tool: 0, lost: 0 }
  if (attempts.lost > MAX_LOST_WORKERS) return { kind: 'failed', code: 'worker-lost' }
  const claimed = await judgeClaimed(ports, call)
  if (claimed.kind !== 'passed') return claimed
  for (let empty = 1; ; empty += 1) {
    const attempt = new ModelAttempt({ ...ports, ...found, key, request, budget, number: attempts.number })
    const ended = await runAttempt(attempt, { seq: claimed.seq, lost: attempts.lost, signal })
    switch (ended.kind) {
      case 'answered':
        if (ended.answer.kind !== 'empty') return ended.answer
        if (empty >= MAX_EMPTY) return ended.answer
        attempts = await attempt.beginNext()
        continue
      case 'stopped':
        if (await isStopRequested(ports)) return attempt.keepPartial('interrupted')
        await attempt.yieldToNext('worker-shutdown')
        throw signal.reason instanceof CancelledFailure
          ? signal.reason
          : new CancelledFailure('The call was stopped')
      case 'failed':
        return attempt.giveUpOrThrow(ended.error)
    }
  }
}

/**
 * Judges what the Step has claimed, before the model sees it; answers what ends the Step there. When it is told to
 * stop by anybody but the user, this attempt, which has asked no model, is ended for another.
 */
async function judgeClaimed(
  ports: BoundPorts,
  call: AdmittedCall,
): Promise<CallModelAnswer | { readonly kind: 'passed'; readonly seq: number }> {
  const { key, request, signal, head, attempts } = call
  const { turnId, step } = request
  if (request.judge !== true) return { kind: 'passed', seq: head.seq }
  try {
    const judged = await judgePending(ports, { key, turnId }, signal)
    return 'seq' in judged ? { kind: judged.kind, seq: judged.seq } : judged
  } catch (error) {
    if (signal.aborted && (await isStopRequested(ports))) return { kind: 'interrupted' }
    const ended = { number: attempts?.number ?? 1, outcome: 'interrupted' as const }
    await patiently(() => ports.store.endAttempt(key, modelUnit(turnId, step), ended))
    throw error
  }
}

/** Runs an attempt. A bug ends it, so that its worker does not count as lost, and is thrown on. */
async function runAttempt(
  attempt: ModelAttempt,
  at: { readonly seq: number; readonly lost: number; readonly signal: AbortSignal },
): Promise<AttemptEnd> {
  try {
    await attempt.prepare(at.seq)
    if (at.lost > 0) await attempt.recordLostWorker(at.lost)
    return (await attempt.endIfSpent()) ?? (await attempt.run(at.signal))
  } catch (error) {
    await attempt.yieldToNext('provider-failed')
    throw error
  }
}

/** The answer that an earlier attempt committed, read back from the log. */
async function committedAnswer(
  ports: BoundPorts,
  key: SessionKey,
  request: CallModelRequest,
): Promise<CallModelAnswer> {
  const { turnId, step } = request
  const message = await ports.store.find(key, stepKey(turnId, step, 'message'))
  const events = await ports.store.read(key, { turnId, types: ['tool/result'] })
  const { seq } = await ports.store.head(key)
  return message?.type === 'assistant/message'
    ? { ...answerOf(message, events), seq }
    : { kind: 'turn-closed' }
}

/** What an answer says of inputs, left out when it says nothing. */
function recordedOf(recorded: Recorded): { readonly recorded?: Recorded } {
  const said = Object.entries(recorded).filter(([, value]) =>
    typeof value === 'number' ? value > 0 : value.length > 0,
  )
  return said.length > 0 ? { recorded: Object.fromEntries(said) } : {}
}
