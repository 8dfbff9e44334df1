/**
 * What deciding on a call and answering it have in common: where the call stands, and waking its workflow.
 */
import { TurnstepError } from '../core/errors.ts'
import type { CallPosition } from '../core/ids.ts'
import { parseCallId } from '../core/ids.ts'
import type { WakeSignal } from '../core/wire.ts'
import { SIGNAL } from '../core/wire.ts'
import type { SessionLink } from './session-link.ts'
import { handleOf } from './session-link.ts'

/** Where a call stands: its id says which Turn it belongs to. */
export async function positionOf(link: SessionLink, callId: string): Promise<CallPosition> {
  const parsed = parseCallId(callId)
  const turnId = parsed && (await turnIdOf(link, parsed.turn))
  if (parsed === undefined || turnId === undefined) throw notWaiting(callId, link)
  return { turnId, callId, ...parsed }
}

/** The id of the nth Turn. One that is over has an id, too: what was said in it before may be said again. */
export async function turnIdOf(link: SessionLink, turn: number): Promise<string | undefined> {
  const { open } = await link.store.head(link.key)
  if (open?.turn === turn) return open.turnId
  const starts = await link.store.read(link.key, { types: ['turn/start'] })
  return starts.find((start) => start.turn === turn)?.turnId ?? undefined
}

export function notWaiting(callId: string, link: SessionLink): TurnstepError {
  return new TurnstepError(
    'call-not-waiting',
    `Call ${callId} of session ${link.key.session} does not wait for this: it was never asked about, or is settled.`,
  )
}

/** The log decides. A wake that is lost is sent again by a worker, and by whoever decides the same again. */
export async function wake(link: SessionLink, signal: WakeSignal): Promise<void> {
  await handleOf(link)
    .signal(SIGNAL.wake, signal)
    .catch(() => undefined)
}
