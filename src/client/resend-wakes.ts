/**
 * Wakes that were lost: what the log says of calls that wait is told to their workflows again.
 *
 * A decision is written first and its signal sent after, so that either may be missing: the process that decided may
 * have died in between, or Temporal was away.
 */
import type { Client } from '@temporalio/client'
import type { Event } from '../core/event.ts'
import { heldIdOf, workflowIdOf } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import type { WakeSignal } from '../core/wire.ts'
import { SIGNAL } from '../core/wire.ts'

/** Sends a wake for each call that was spoken of and has not gone on; returns how many. Harmless when nothing was lost. */
export async function resendWakes(client: Client, store: SessionStore): Promise<number> {
  let sent = 0
  for (const { key, head } of await store.openTurns()) {
    const { open } = head
    if (open?.isStepOpen !== true) continue
    const events = await store.read(key, { turnId: open.turnId, types: WAITING })
    for (const signal of unconsumed(events.filter((event) => 'step' in event && event.step === open.step))) {
      // A workflow that is gone, or a server that is away: the next round looks again.
      await client.workflow
        .getHandle(workflowIdOf(key), open.runId)
        .signal(SIGNAL.wake, signal)
        .then(() => {
          sent += 1
        })
        .catch(() => undefined)
    }
  }
  return sent
}

const WAITING = [
  'approval/requested',
  'approval/decided',
  'guardrail/held',
  'guardrail/judged',
  'tool/call',
  'tool/result',
] as const

/**
 * Judgements of held texts; decisions whose call has neither started nor its receipt, and answers of clients: whether the workflow has seen
 * one of those cannot be told by the log, so it is told as long as the Step is open.
 */
function unconsumed(events: readonly Event[]): readonly WakeSignal[] {
  const started = new Set(
    events.flatMap((event) =>
      event.type === 'tool/call' || event.type === 'tool/result' ? [event.callId] : [],
    ),
  )
  const given = new Set(
    events.flatMap((event) =>
      event.type === 'tool/call' && event.expiresAt !== undefined ? [event.callId] : [],
    ),
  )
  return events.flatMap((event): WakeSignal[] => {
    if (event.type === 'guardrail/judged' && event.by !== undefined && started.size === 0)
      return [{ v: 1, kind: 'decided', id: heldIdOf({ turn: event.turn, step: event.step ?? 0 }) }]
    if (event.type === 'approval/decided' && !started.has(event.callId))
      return [{ v: 1, kind: 'decided', id: event.callId }]
    if (event.type === 'tool/result' && given.has(event.callId))
      return [{ v: 1, kind: 'answered', id: event.callId }]
    return []
  })
}
