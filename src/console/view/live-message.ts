/**
 * The message that a model is writing: what has come of it so far, until its event is in the log.
 *
 * 1. A piece counts once: after a reconnection the pieces of the attempt come again from the first.
 * 2. A reset, or a piece of a later attempt or Step, makes what was there void.
 * 3. The message's event takes its place; so does the end of its Step or Turn.
 */
import type { Event } from '../../core/event.ts'
import type { LiveDelta } from '../../core/ports.ts'

export interface LiveMessage {
  readonly turnId: string
  readonly step: number
  readonly attempt: number
  /** Of the last piece that counted. */
  readonly index: number
  readonly text: string
  readonly reasoning: string
  /** Tools whose calls have begun to arrive. */
  readonly calls: readonly string[]
  /** Set from the second attempt on, when something of the one before was shown. */
  readonly restarted?: true
}

export interface LiveReset {
  readonly turnId: string
  readonly step: number
  readonly attempt: number
}

export function addDelta(live: LiveMessage | undefined, delta: LiveDelta): LiveMessage {
  const { turnId, step, attempt, index } = delta
  const isSame = live?.turnId === turnId && live.step === step && live.attempt === attempt
  if (isSame && index <= live.index) return live
  const before = isSame ? live : { turnId, step, attempt, text: '', reasoning: '', calls: [] }
  return {
    ...before,
    index,
    text: before.text + (delta.text ?? ''),
    reasoning: before.reasoning + (delta.reasoning ?? ''),
    calls: delta.toolCall === undefined ? before.calls : [...before.calls, delta.toolCall],
  }
}

/** What was shown is void: the attempt that is named starts over. */
export function resetLive({ turnId, step, attempt }: LiveReset): LiveMessage {
  return { turnId, step, attempt, index: -1, text: '', reasoning: '', calls: [], restarted: true }
}

/** What is left of the live message once an event is in the log. */
export function settleLive(live: LiveMessage | undefined, event: Event): LiveMessage | undefined {
  if (live === undefined || event.turnId !== live.turnId) return live
  switch (event.type) {
    case 'assistant/message':
    case 'assistant/draft':
    case 'step/end':
      return event.step >= live.step ? undefined : live
    case 'turn/end':
      return undefined
    default:
      return live
  }
}
