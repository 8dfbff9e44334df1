/**
 * Aborting a Turn: a stop, then the cancellation of the run that executes it, repeated until the log has the end.
 *
 * An accepted cancellation proves nothing: one that comes too late, or is aimed at a run that continued as
 * new, is accepted just the same.
 */
import { WorkflowNotFoundError } from '@temporalio/client'
import { isTurnstepError, TurnstepError } from '../core/errors.ts'
import type { EventOf } from '../core/event.ts'
import { turnKey } from '../core/ids.ts'
import type { StopSignal } from '../core/wire.ts'
import { SIGNAL } from '../core/wire.ts'
import type { SessionLink } from './session-link.ts'
import { closeIfAbandoned, currentRun, fateOf, handleOf, unreachable } from './session-link.ts'
import { waitFor } from './wait-for-change.ts'

export interface AbortOptions {
  /** The Turn, by its id or that of any input claimed in it. Default: whichever is running. */
  readonly turnId?: string
  /** What becomes of the inputs that wait. Default `withdraw`. */
  readonly queue?: 'withdraw' | 'run'
  /** `after-step` finishes the Step that is running. Default `now`. */
  readonly mode?: 'now' | 'after-step'
  /** How long to wait for the end before failing with `abort-pending`. Default 10 s; the stop holds all the same. */
  readonly timeoutMs?: number
}

export interface AbortResult {
  readonly turnId: string
  readonly reason: EventOf<'turn/end'>['reason']
  readonly inputs: EventOf<'turn/end'>['inputs']
}

/** How long a stop may go without effect before it is sent again. */
const REPEAT_MS = 500
/** How long a Turn that was just sent for may take to open. */
const OPENING_MS = 5_000

/**
 * Stops a Turn and answers how it ended. Fails with `turn-not-running` when it is over, was never opened, or
 * nothing runs, and with `abort-pending` when it has not ended in time.
 */
export async function abortTurn(link: SessionLink, options: AbortOptions): Promise<AbortResult> {
  const turnId = await runningTurn(link, options.turnId)
  const { queue = 'withdraw', mode = 'now', timeoutMs = 10_000 } = options
  const stop: StopSignal = { v: 1, turnId, queue, mode }
  const deadline = Date.now() + timeoutMs
  for (;;) {
    await sendStop(link, stop)
    const patienceMs = Math.min(REPEAT_MS, Math.max(1, deadline - Date.now()))
    const end = await endOf(link, turnId, patienceMs)
    if (end !== undefined) return { turnId, reason: end.reason, inputs: end.inputs }
    if (Date.now() >= deadline) {
      throw new TurnstepError(
        'abort-pending',
        `Turn ${turnId} was told to stop and has not ended within ${timeoutMs} ms.`,
      )
    }
    await closeIfAbandoned(link)
  }
}

/** Sends the stop, and for `now` the cancellation of the Turn's present run. Neither finding anything is no error. */
export async function sendStop(link: SessionLink, stop: StopSignal): Promise<void> {
  try {
    await ignoreGone(handleOf(link).signal(SIGNAL.stop, stop))
    if (stop.mode === 'after-step') return
    const { open } = await link.store.head(link.key)
    if (open?.turnId === stop.turnId) await ignoreGone(handleOf(link, open?.runId).cancel())
  } catch (error) {
    throw unreachable(error)
  }
}

async function ignoreGone(sent: Promise<unknown>): Promise<void> {
  try {
    await sent
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

/** The id of the Turn that is meant, once it is open: one that was just sent for may still be opening. */
async function runningTurn(link: SessionLink, named: string | undefined): Promise<string> {
  const look = async (): Promise<string | undefined> => {
    const found = await openTurn(link, named)
    if (found !== undefined) return found
    const run = await currentRun(link)
    if (run?.isRunning !== true) throw notRunning(named)
    return undefined
  }
  const opened = await waitFor(link.store, look, { timeoutMs: OPENING_MS }).catch(ifTimedOut)
  if (opened === undefined) throw notRunning(named)
  return opened
}

async function openTurn(link: SessionLink, named: string | undefined): Promise<string | undefined> {
  const { open } = await link.store.head(link.key)
  if (named === undefined) return open?.turnId
  const fate = await fateOf(link, named)
  if (fate === undefined) {
    // Queued behind another Turn: there is nothing of it to stop.
    if (open !== undefined) throw notRunning(named)
    return undefined
  }
  if (fate.type !== 'user/message' || fate.turnId !== open?.turnId) throw notRunning(named)
  return fate.turnId
}

function notRunning(turnId: string | undefined): TurnstepError {
  return turnId === undefined
    ? new TurnstepError('turn-not-running', 'No turn is running.')
    : new TurnstepError(
        'turn-not-running',
        `Turn ${turnId} is not running. An input that still waits can be withdrawn.`,
      )
}

async function endOf(
  link: SessionLink,
  turnId: string,
  timeoutMs: number,
): Promise<EventOf<'turn/end'> | undefined> {
  const look = async (): Promise<EventOf<'turn/end'> | undefined> => {
    const end = await link.store.find(link.key, turnKey(turnId, 'end'))
    return end?.type === 'turn/end' ? end : undefined
  }
  return waitFor(link.store, look, { timeoutMs }).catch(ifTimedOut)
}

function ifTimedOut(error: unknown): undefined {
  if (isTurnstepError(error) && error.code === 'timed-out') return undefined
  throw error
}
