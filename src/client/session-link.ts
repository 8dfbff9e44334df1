/**
 * What a client knows of one Session: its workflow at Temporal and its log in the store.
 */
import type { Client, WorkflowHandle } from '@temporalio/client'
import { WorkflowNotFoundError } from '@temporalio/client'
import { closeAbandoned } from '../core/close-in-log.ts'
import { TurnstepError } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { inputKey, workflowIdOf } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'

export interface SessionLink {
  readonly key: SessionKey
  readonly temporal: Client
  readonly store: SessionStore
  readonly taskQueue: string
}

/** The run of a Session's workflow that exists now or was the last. */
export interface CurrentRun {
  readonly isRunning: boolean
  readonly runId: string
  readonly firstExecutionRunId: string
}

export function handleOf(link: SessionLink, runId?: string): WorkflowHandle {
  return link.temporal.workflow.getHandle(workflowIdOf(link.key), runId)
}

/** The Session's workflow as Temporal has it; undefined when it has none. */
export async function currentRun(link: SessionLink): Promise<CurrentRun | undefined> {
  try {
    const { status, runId, raw } = await handleOf(link).describe()
    return {
      isRunning: status.name === 'RUNNING',
      runId,
      firstExecutionRunId: raw.workflowExecutionInfo?.firstRunId ?? '',
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw unreachable(error)
  }
}

/** The recorded fate of an input, if it has one. */
export async function fateOf(link: SessionLink, inputId: string): Promise<Event | undefined> {
  return link.store.find(link.key, inputKey(inputId))
}

/**
 * Closes an open Turn whose workflow execution is gone (terminated, expired): nobody else would. Returns
 * whether there was one. The log is looked at again after Temporal was asked, since a Turn may just have
 * ended by itself.
 */
export async function closeIfAbandoned(link: SessionLink): Promise<boolean> {
  const before = await link.store.head(link.key)
  if (before.open === undefined) return false
  const run = await currentRun(link)
  if (run?.isRunning === true && run.firstExecutionRunId === before.open.firstExecutionRunId) return false
  const head = await link.store.head(link.key)
  if (head.open?.firstExecutionRunId !== before.open.firstExecutionRunId) return false
  await closeAbandoned(link.store, link.key, head)
  return true
}

/** A failure of Temporal's, as ours. */
export function unreachable(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof TurnstepError) return cause
  if (cause.name !== 'ServiceError') return cause
  return new TurnstepError(
    'temporal-unavailable',
    'Temporal did not answer. What was sent may or may not have arrived; sending it again with the same id is safe.',
    { cause },
  )
}
