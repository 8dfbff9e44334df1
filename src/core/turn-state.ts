/**
 * The state machine of a Turn: seven phases, one table of legal transitions, folded over the log.
 */
import type { EventBody } from './event.ts'
import type { TurnPhase } from './wire.ts'

/** Where every Turn begins, and what a Session without Turns is in. */
export const INITIAL_PHASE: TurnPhase = 'pending'

/**
 * Which phase may follow which.
 *
 * A phase that follows itself is named: the next Turn's start before any Turn (`pending`), a Step after one
 * without calls (`thinking`), a second call beside the first (`tool_executing`), a second request
 * (`waiting_human`). What ended goes on only as the next Turn.
 */
export const LEGAL_TRANSITIONS: Readonly<Record<TurnPhase, readonly TurnPhase[]>> = {
  pending: ['pending', 'thinking', 'finished', 'failed'],
  thinking: ['thinking', 'tool_calling', 'finished', 'failed'],
  tool_calling: ['tool_executing', 'waiting_human', 'thinking', 'finished', 'failed'],
  tool_executing: ['tool_executing', 'waiting_human', 'thinking', 'finished', 'failed'],
  waiting_human: ['waiting_human', 'tool_calling', 'tool_executing', 'thinking', 'finished', 'failed'],
  finished: ['pending'],
  failed: ['pending'],
}

export function isLegalTransition(from: TurnPhase, to: TurnPhase): boolean {
  return LEGAL_TRANSITIONS[from].includes(to)
}

/** Moves on. An illegal transition is a bug and throws. */
export function movePhase(from: TurnPhase, to: TurnPhase): TurnPhase {
  if (!isLegalTransition(from, to)) throw new Error(`Illegal transition of a Turn: ${from} -> ${to}`)
  return to
}

/** The phase that an event leads to; undefined for one that leaves the phase as it is. */
export function phaseOfEvent(event: EventBody): TurnPhase | undefined {
  switch (event.type) {
    case 'turn/start':
      return 'pending'
    case 'step/start':
      return 'thinking'
    case 'assistant/message':
      return event.calls.length > 0 ? 'tool_calling' : undefined
    case 'tool/call':
      return 'tool_executing'
    case 'turn/end':
      return event.reason === 'error' ? 'failed' : 'finished'
    default:
      return undefined
  }
}

/** The phase after one more event of the log. An illegal transition is a bug and throws. */
export function foldPhase(phase: TurnPhase, event: EventBody): TurnPhase {
  const next = phaseOfEvent(event)
  return next === undefined ? phase : movePhase(phase, next)
}

/** The phase in which a log leaves its last Turn. */
export function phaseOf(events: readonly EventBody[]): TurnPhase {
  return events.reduce(foldPhase, INITIAL_PHASE)
}
