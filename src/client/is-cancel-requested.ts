import type { Client } from '@temporalio/client'
import { isGrpcServiceError } from '@temporalio/client'

/** gRPC's NOT_FOUND. */
const NOT_FOUND = 5

/**
 * Whether the server holds a cancellation for a running activity, by a heartbeat with its task token.
 *
 * A server that pushes cancellations reports an execution that was reset or terminated just like one that was
 * asked to cancel. A heartbeat's answer tells them apart. Without an answer the push is believed.
 */
export async function isCancelRequested(client: Client, taskToken: Uint8Array): Promise<boolean> {
  const { namespace, identity } = client.options
  try {
    const answer = await client.workflowService.recordActivityTaskHeartbeat({
      namespace,
      taskToken,
      identity,
    })
    return answer.cancelRequested
  } catch (error) {
    return !(isGrpcServiceError(error) && error.code === NOT_FOUND)
  }
}
