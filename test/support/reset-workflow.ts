import { workflowIdOf } from '../../src/core/ids.ts'
import type { TurnWorld } from './turn-world.ts'

/** `EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED` of Temporal's API. */
const WORKFLOW_TASK_COMPLETED = 7

/** Resets a Session's workflow, as an operator would, to its first or its last workflow task; returns the new run's id. */
export async function resetWorkflow(
  world: TurnWorld,
  sessionId: string,
  to: 'first' | 'last',
): Promise<string> {
  const workflowId = workflowIdOf({ tenant: 'default', session: sessionId })
  const handle = world.temporal.workflow.getHandle(workflowId)
  const { runId } = await handle.describe()
  const { events } = await handle.fetchHistory()
  const tasks = (events ?? []).filter(({ eventType }) => Number(eventType) === WORKFLOW_TASK_COMPLETED)
  const task = to === 'first' ? tasks[0] : tasks.at(-1)
  if (task?.eventId == null) throw new Error(`Workflow ${workflowId} has completed no task`)
  const reset = await world.temporal.connection.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    reason: 'test',
    requestId: crypto.randomUUID(),
    workflowTaskFinishEventId: task.eventId,
  })
  return reset.runId
}
