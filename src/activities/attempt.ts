/**
 * One attempt of an activity: which Session it serves, its heartbeat, and why it is told to stop.
 */
import { Context } from '@temporalio/activity'
import { TurnstepError } from '../core/errors.ts'
import type { SessionKey } from '../core/ids.ts'
import { parseWorkflowId } from '../core/ids.ts'
import type { ActivityPorts } from './ports.ts'

/** Temporal throttles what is sent; this is how often it may notice that the worker lives. What is quicker sends none. */
const HEARTBEAT_MS = 250

/** The Session of the workflow that called this activity. */
export function sessionOfActivity(): SessionKey {
  const { workflowId } = Context.current().info.workflowExecution ?? { workflowId: '' }
  const key = parseWorkflowId(workflowId)
  if (key !== undefined) return key
  throw new TurnstepError(
    'invalid-input',
    `The workflow id ${JSON.stringify(workflowId)} is not that of a session: turnstep:TENANT:SESSION.`,
  )
}

/**
 * Runs `work` with a heartbeat on a timer from its first line, because whatever comes before a stream may
 * take long and must not look like a dead worker. The signal is fresh, so that no listeners pile up.
 */
export async function beating<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current()
  const abort = new AbortController()
  const onCancel = (): void => abort.abort(context.cancellationSignal.reason)
  if (context.cancellationSignal.aborted) onCancel()
  context.cancellationSignal.addEventListener('abort', onCancel, { once: true })
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS)
  try {
    return await work(abort.signal)
  } finally {
    clearInterval(timer)
    context.cancellationSignal.removeEventListener('abort', onCancel)
  }
}

/**
 * Whether the cancellation is the user's stop. Anything else (a worker that shuts down, a pause, a reset, a
 * timeout) fails the attempt, which is then made elsewhere.
 */
export async function isStopRequested(ports: ActivityPorts): Promise<boolean> {
  const { cancellationDetails, info } = Context.current()
  if (cancellationDetails === undefined) return false
  const { cancelRequested, workerShutdown, paused, reset, timedOut, notFound } = cancellationDetails
  if (!cancelRequested || workerShutdown || paused || reset || timedOut || notFound) return false
  return (await ports.isCancelRequested?.(info.taskToken)) ?? true
}
