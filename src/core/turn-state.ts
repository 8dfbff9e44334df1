/**
 * The state machine of a Turn: seven phases, one table of legal transitions, folded over the log.
 */
import type { EventBody } from './event.ts'
import type { ToolCall } from './message.ts'
import type { TurnPhase } from './wire.ts'

/** Where every Turn begins, and what a Session without Turns is in. */
export const INITIAL_PHASE: TurnPhase = 'pending'

/**
 * Which phase may follow which.
 *
 * A phase that follows itself is named: the next Turn's start before any Turn (`pending`), a Step after one
 * without calls (`thinking`), a second call beside the first (`tool_executing`), a second request
 * (`waiting_human`). A text that is held for a human waits, too. What ended goes on only as the next Turn.
 */
export const LEGAL_TRANSITIONS: Readonly<Record<TurnPhase, readonly TurnPhase[]>> = {
  pending: ['pending', 'thinking', 'finished', 'failed'],
  thinking: ['thinking', 'tool_calling', 'waiting_human', 'finished', 'failed'],
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

/** What an open call waits for: its start, its own end, or a human or client. */
type CallStage = 'ready' | 'running' | 'waiting'

/** Where a Turn stands: its phase, and the open calls of its Step, on which the phase depends. */
export interface TurnState {
  readonly phase: TurnPhase
  readonly calls: ReadonlyMap<string, CallStage>
}

export const INITIAL_STATE: TurnState = { phase: INITIAL_PHASE, calls: new Map() }

/** The state after one more event of the log. An illegal transition is a bug and throws. */
export function foldState(state: TurnState, event: EventBody): TurnState {
  const next = stateAfter(state, event)
  // What follows itself is judged only where something begins: two calls may well run at the same time.
  if (next.phase !== state.phase || BEGINS.has(event.type)) movePhase(state.phase, next.phase)
  return next
}

const BEGINS: ReadonlySet<string> = new Set(['turn/start', 'step/start', 'assistant/message', 'turn/end'])

/** The state that an event leads to, legal or not. */
export function stateAfter(state: TurnState, event: EventBody): TurnState {
  switch (event.type) {
    case 'turn/start':
      return { phase: 'pending', calls: new Map() }
    case 'step/start':
      return { phase: 'thinking', calls: new Map() }
    case 'assistant/message':
      return event.calls.length === 0
        ? state
        : {
            phase: 'tool_calling',
            calls: new Map(distinct(event.calls).map(({ callId }) => [callId, 'ready'])),
          }
    case 'tool/call':
      return withCall(state, event.callId, event.expiresAt === undefined ? 'running' : 'waiting')
    case 'guardrail/held':
      return { phase: 'waiting_human', calls: new Map() }
    case 'guardrail/judged':
      return state.phase === 'waiting_human' ? { phase: 'thinking', calls: new Map() } : state
    case 'approval/requested':
      return withCall(state, event.callId, 'waiting')
    case 'approval/decided':
      return withCall(state, event.callId, 'ready')
    case 'tool/result':
      return withCall(state, event.callId, undefined)
    case 'turn/end':
      return { phase: event.reason === 'error' ? 'failed' : 'finished', calls: new Map() }
    default:
      return state
  }
}

/** Of identical calls the first: it runs, or waits, for the others too. */
function distinct(calls: readonly ToolCall[]): readonly ToolCall[] {
  const seen = new Set<string>()
  return calls.filter(({ tool, arguments: args }) => {
    const call = `${tool} ${args}`
    return !seen.has(call) && seen.add(call)
  })
}

/** The phase in which a log leaves its last Turn. An illegal transition is a bug and throws. */
export function phaseOf(events: readonly EventBody[]): TurnPhase {
  return events.reduce(foldState, INITIAL_STATE).phase
}

/** How long a Turn has waited for humans and clients, during which its clock stands still. */
export interface Waited {
  readonly ms: number
  /** Set while it waits: since when, ISO 8601. */
  readonly since?: string
}

/** By the log of one Turn, as its own clock counts: to the moment in which something was written. */
export function waitedOf(events: readonly (EventBody & { readonly at: string })[]): Waited {
  let state = INITIAL_STATE
  let ms = 0
  let since: string | undefined
  for (const event of events) {
    state = stateAfter(state, event)
    const isWaiting = state.phase === 'waiting_human'
    if (isWaiting === (since !== undefined)) continue
    if (since !== undefined) ms += Date.parse(event.at) - Date.parse(since)
    since = isWaiting ? event.at : undefined
  }
  return { ms, ...(since === undefined ? {} : { since }) }
}

/** `waiting_human` holds only while every open call waits. */
function withCall({ phase, calls }: TurnState, callId: string, stage: CallStage | undefined): TurnState {
  const next = new Map(calls)
  if (stage === undefined) next.delete(callId)
  else next.set(callId, stage)
  const stages = [...next.values()]
  if (stages.includes('running')) return { phase: 'tool_executing', calls: next }
  if (stages.length > 0 && stages.every((one) => one === 'waiting'))
    return { phase: 'waiting_human', calls: next }
  if (phase === 'waiting_human' && stages.length > 0) return { phase: 'tool_calling', calls: next }
  return { phase, calls: next }
}
