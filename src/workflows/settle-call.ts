/**
 * One tool call from its admission to its receipt: run at once, or after whoever it waits for has spoken.
 *
 * The log decides, not the signal that wakes: whenever something may have happened the activity looks there.
 */
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow'
import type { RunToolAnswer, RunToolRequest, WaitingAnswer } from '../activities/contracts.ts'
import type { DenialCause } from '../core/event.ts'
import * as activities from './activity-options.ts'
import { startNotifying } from './notify.ts'
import type { OpenCalls } from './open-calls.ts'
import type { RunningTurn } from './open-turn.ts'
import type { TurnInbox } from './receive-inputs.ts'
import type { Settled } from './settle-within.ts'
import { settleWithin } from './settle-within.ts'

/** How a call ended: what its receipt is, or that the Turn is over. */
export type CallEnd = Exclude<RunToolAnswer, WaitingAnswer>

export interface CallToSettle {
  readonly request: RunToolRequest
  readonly timeoutMs: number
  /** A human has to approve it first. The activity sees for itself, in the log, whether one has. */
  readonly needsApproval: boolean
  /** The calls of its Step. */
  readonly calls: OpenCalls
}

export async function settleCall(
  turn: RunningTurn,
  inbox: TurnInbox,
  call: CallToSettle,
): Promise<Settled<CallEnd>> {
  const { request, calls } = call
  let settled = call.needsApproval ? await ask(turn, request) : await run(turn, call, request)
  for (;;) {
    if (settled.kind === 'stopped') return settled
    const answer = settled.value
    if (answer.kind !== 'waiting') {
      calls.ends(request.callId)
      return { kind: 'answered', value: answer }
    }
    calls.waits(request.callId)
    await tellOfApproval(turn, request.callId, answer.notify)
    const deny = await untilSomethingHappens(turn, inbox, { call, answer })
    if (deny === 'stopped') return { kind: 'stopped' }
    calls.runs(request.callId)
    settled = await run(turn, call, { ...request, ...(deny === undefined ? {} : { deny }) })
  }
}

/** Shielded: an abort meanwhile is seen afterwards, and leaves the siblings of the call their grace. */
async function tellOfApproval(
  { turnId }: RunningTurn,
  callId: string,
  targets: number | undefined,
): Promise<void> {
  if (targets === undefined) return
  const occasion = { kind: 'approval', callId } as const
  await CancellationScope.nonCancellable(() => startNotifying(turnId, occasion, targets))
}

function ask(turn: RunningTurn, { turnId, callId, seq }: RunToolRequest): Promise<Settled<RunToolAnswer>> {
  const receipts = turn.receipts.length > 0 ? { receipts: turn.receipts } : {}
  return settleWithin<RunToolAnswer>(
    activities.requestApproval({ turnId, callId, seq, ...receipts }),
    turn.plan.abortGraceMs,
  )
}

function run(
  turn: RunningTurn,
  { timeoutMs }: CallToSettle,
  request: RunToolRequest,
): Promise<Settled<RunToolAnswer>> {
  return settleWithin(activities.runTool(timeoutMs)(request), turn.plan.abortGraceMs)
}

/** Waits until the call was spoken of or its time is up, and says for what else it is to be denied. */
async function untilSomethingHappens(
  turn: RunningTurn,
  inbox: TurnInbox,
  wait: { readonly call: CallToSettle; readonly answer: WaitingAnswer },
): Promise<DenialCause | 'stopped' | undefined> {
  const { request, calls } = wait.call
  const { expiresInMs, given } = wait.answer
  const denied = (): DenialCause | undefined => {
    // What the client has is out of our hands: it is answered, or its time ends.
    if (!wait.call.needsApproval || given) return undefined
    if (calls.isReplanning) return 'replanned'
    return turn.plan.onSteerWhileWaiting === 'deny' && inbox.hasSteers ? 'steered' : undefined
  }
  try {
    await condition(() => inbox.isWoken(request.callId) || denied() !== undefined, expiresInMs)
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) return 'stopped'
    throw error
  }
  inbox.takeWake(request.callId)
  return denied()
}
