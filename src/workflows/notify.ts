/**
 * Telling others what happened in a Turn: a workflow of its own, so that a receiver that is away holds up nothing.
 */
import {
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type { NotifyRequest, Occasion } from '../activities/contracts.ts'
import { parseWorkflowId } from '../core/ids.ts'
import * as activities from './activity-options.ts'

/** Tells each of so many receivers, apart from the others. What cannot be delivered within a day is given up. */
export async function notifyWorkflow(request: NotifyRequest, targets: number): Promise<void> {
  const deliveries = Array.from({ length: targets }, (_, target) =>
    activities.notify({ ...request, target }).catch(() => undefined),
  )
  await Promise.all(deliveries)
}

/** Starts the telling, once for an occasion, and goes on without it. */
export async function startNotifying(
  turnId: string,
  occasion: Occasion,
  targets: number | undefined,
): Promise<void> {
  const session = parseWorkflowId(workflowInfo().workflowId)
  if (targets === undefined || session === undefined) return
  const about = occasion.kind === 'end' ? 'end' : occasion.callId
  try {
    await startChild(notifyWorkflow, {
      workflowId: `turnstep-notify:${session.tenant}:${session.session}:${turnId}:${about}`,
      args: [{ session, turnId, occasion }, targets],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    })
  } catch (error) {
    // By the run that a reset replaced.
    if (!(error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError')) throw error
  }
}
