/**
 * Start-up recovery: what a dead process of this host was doing is failed at once, so that it is taken over
 * without waiting for its heartbeat timeout.
 */
import type { Client } from '@temporalio/client'
import { ActivityNotFoundError, WorkflowNotFoundError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { SessionKey } from '../core/ids.ts'
import { workflowIdOf } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import { isDeadProcessOfThisHost } from './worker-identity.ts'

/** `PendingActivityState.STARTED` of Temporal's API. */
const STARTED = 2

/**
 * Fails the started activities of open Turns whose worker was a process of this host that is dead; returns how
 * many. To be called before this process's own worker polls: completing by id has no fence against a live
 * attempt, so only what certainly has none is touched, and each is looked at again right before.
 */
export async function recoverLostActivities(client: Client, store: SessionStore): Promise<number> {
  const open = await store.openTurns()
  const counts = await Promise.all(open.map(({ key }) => recoverSession(client, key)))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function recoverSession(client: Client, key: SessionKey): Promise<number> {
  let recovered = 0
  for (const { activityId } of await lostActivities(client, key)) {
    const stillLost = await lostActivities(client, key)
    const lost = stillLost.find((one) => one.activityId === activityId)
    if (lost === undefined) continue
    const failure = ApplicationFailure.retryable('The worker process is dead', 'worker-lost')
    try {
      await client.activity.fail({ workflowId: workflowIdOf(key), runId: lost.runId, activityId }, failure)
      recovered += 1
    } catch (error) {
      if (!(error instanceof ActivityNotFoundError)) throw error
    }
  }
  return recovered
}

async function lostActivities(
  client: Client,
  key: SessionKey,
): Promise<readonly { readonly activityId: string; readonly runId: string }[]> {
  try {
    const { raw, runId } = await client.workflow.getHandle(workflowIdOf(key)).describe()
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
