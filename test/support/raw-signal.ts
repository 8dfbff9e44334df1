import type { Payload } from '@temporalio/common'
import { workflowIdOf } from '../../src/core/ids.ts'
import type { TurnWorld } from './turn-world.ts'

/** A payload with any encoding and any bytes, past every converter. */
export function rawPayload(encoding: string | undefined, data: string | Uint8Array): Payload {
  return {
    metadata: encoding === undefined ? {} : { encoding: Buffer.from(encoding) },
    data: typeof data === 'string' ? Buffer.from(data) : data,
  }
}

/** A payload of JSON that is sent as it is written, well formed or not. */
export function jsonPayload(text: string): Payload {
  return rawPayload('json/plain', text)
}

/** Sends a signal as any client of Temporal's may, with payloads that ours would never make. */
export async function sendRawSignal(
  world: TurnWorld,
  sessionId: string,
  signal: { readonly name: string; readonly payloads?: readonly Payload[] },
): Promise<void> {
  await world.temporal.connection.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: workflowIdOf({ tenant: 'default', session: sessionId }) },
    signalName: signal.name,
    requestId: crypto.randomUUID(),
    ...(signal.payloads === undefined ? {} : { input: { payloads: [...signal.payloads] } }),
  })
}
