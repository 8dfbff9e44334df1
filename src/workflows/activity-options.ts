/**
 * How the Turn's activities are timed and retried, each number with its reason.
 */
import type { RetryPolicy } from '@temporalio/workflow'
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow'
import type { TurnActivities } from '../activities/contracts.ts'

/**
 * Without a limit, because attempts are counted by kind in the store: Temporal's own count would mix a
 * provider's failures with lost workers and with a store that is away. What must not be tried again fails
 * as non-retryable. Backoff stays within 10 s, so that a store that comes back is used soon.
 */
const RETRY: RetryPolicy = {
  initialInterval: '500 ms',
  backoffCoefficient: 2,
  maximumInterval: '10 s',
}

/**
 * Opening and closing only touch the store: 30 s is far beyond what a commit takes, and a dead worker is noticed
 * sooner by its heartbeat. They are called in a shielded scope, so the cancellation type does not matter.
 */
export const { openTurn, continueTurn, closeTurn } = proxyActivities<TurnActivities>({
  startToCloseTimeout: '30 s',
  heartbeatTimeout: '3 s',
  retry: RETRY,
})

/**
 * A model may think for minutes; a dead worker is noticed by its heartbeat, beaten on a timer from the
 * activity's first line. Waiting for the cancellation brings what the model really said before the abort.
 */
export const { callModel } = proxyActivities<TurnActivities>({
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '3 s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

/**
 * A judgement takes at most what its guardrails may take together; what a Turn may take bounds it anyway. Code of
 * users may hold the event loop, as tools do.
 */
export const { judgeInputs, judgeOutput } = proxyActivities<TurnActivities>({
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '15 s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

/** A write to the log; whoever decides is waited for by the workflow, not here. */
export const { requestApproval } = proxyActivities<TurnActivities>({
  startToCloseTimeout: '30 s',
  heartbeatTimeout: '3 s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
})

/** A receiver may be away for long: tried ever more rarely, for a day. */
export const { notify } = proxyActivities<TurnActivities>({
  startToCloseTimeout: '30 s',
  scheduleToCloseTimeout: '24 h',
  retry: { initialInterval: '1 s', backoffCoefficient: 3, maximumInterval: '1 h' },
})

/** Beyond a tool's own time limit, for claiming and committing and for a tool that is slow to stop. */
const TOOL_GRACE_MS = 30_000

/**
 * Tools may hold the event loop for seconds and still finish their effect, so their heartbeat timeout is
 * longer than a model call's.
 */
export function runTool(timeoutMs: number): TurnActivities['runTool'] {
  return proxyActivities<TurnActivities>({
    startToCloseTimeout: timeoutMs + TOOL_GRACE_MS,
    heartbeatTimeout: '15 s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: RETRY,
  }).runTool
}
