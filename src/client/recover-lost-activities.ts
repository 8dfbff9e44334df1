/**
 * Start-up recovery: what a dead process of this host was doing is failed at once, so that it is taken over
 * without waiting for its heartbeat timeout.
 */
import type { Client } from '@temporalio/client'
import { ActivityNotFoundError, WorkflowNotFoundError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { parseWorkflowId, workflowIdOf } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import { WORKFLOW_TYPE } from '../core/wire.ts'
import { isDeadProcessOfThisHost } from './worker-identity.ts'

/** A start does not wait for more than these. */
const MAX_LISTED = 1_000

/** `PendingActivityState.STARTED` of Temporal's API. */
const STARTED = 2

/**
 * Fails the started activities of Sessions whose worker was a process of this host that is dead; returns how
 * many. To be called before this process's own worker polls: completing by id has no fence against a live
 * attempt, so only what certainly has none is touched, and each is looked at again right before.
 */
export async function recoverLostActivities(
  client: Client,
  store: SessionStore,
  taskQueue: string,
): Promise<number> {
  const open = await store.openTurns()
  const running = await runningSessions(client, taskQueue).catch(() => [])
  const workflowIds = new Set([...open.map(({ key }) => workflowIdOf(key)), ...running])
  let recovered = 0
  // What cannot be looked at waits for its time-out, and holds up neither the others nor the worker.
  for (const workflowId of workflowIds) recovered += await recoverSession(client, workflowId).catch(() => 0)
  return recovered
}

/** Sessions of this task queue whose workflow runs: its Turn may not be open yet, or not any more. What is not listed yet waits for its time-out. */
async function runningSessions(client: Client, taskQueue: string): Promise<readonly string[]> {
  const found: string[] = []
  const isOurs = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${taskQueue.replace(/['\\]/g, '\\$&')}'`
  const query = `${isOurs} AND ExecutionStatus = 'Running'`
  for await (const { workflowId } of client.workflow.list({ query })) {
    if (parseWorkflowId(workflowId) !== undefined) found.push(workflowId)
    if (found.length >= MAX_LISTED) break
  }
  return found
}

async function recoverSession(client: Client, workflowId: string): Promise<number> {
  let recovered = 0
  for (const { activityId } of await lostActivities(client, workflowId)) {
    const stillLost = await lostActivities(client, workflowId)
    const lost = stillLost.find((one) => one.activityId === activityId)
    if (lost === undefined) continue
    const failure = ApplicationFailure.retryable('The worker process is dead', 'worker-lost')
    try {
      await client.activity.fail({ workflowId, runId: lost.runId, activityId }, failure)
      recovered += 1
    } catch (error) {
      if (!(error instanceof ActivityNotFoundError)) throw error
    }
  }
  return recovered
}

async function lostActivities(
  client: Client,
  workflowId: string,
): Promise<readonly { readonly activityId: string; readonly runId: string }[]> {
  try {
    const { raw, runId } = await client.workflow.getHandle(workflowId).describe()
    return (raw.pendingActivities ?? []).flatMap(({ activityId, state, lastWorkerIdentity }) =>
      activityId && Number(state) === STARTED && isDeadProcessOfThisHost(lastWorkerIdentity ?? '')
        ? [{ activityId, runId }]
        : [],
    )
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return []
    throw error
  }
}
