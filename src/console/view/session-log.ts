/**
 * The log of a Session as the console keeps it: events grouped by Turn, so that one more event touches one Turn alone.
 *
 * Values: a fold returns a new log and shares what did not change, so that a view of a Turn can be remembered by its
 * identity. Events come in order; one that was seen (after a reconnection, say) changes nothing.
 */
import type { Event, EventOf } from '../../core/event.ts'

/** The events of one Turn, in order. */
export interface TurnLog {
  readonly kind: 'turn'
  readonly turnId: string
  readonly turn: number
  readonly events: readonly Event[]
}

/** An input that was settled outside of any Turn. */
export interface LooseInput {
  readonly kind: 'input'
  readonly event: EventOf<'input/withdrawn'> | EventOf<'input/refused'>
}

export type LogItem = TurnLog | LooseInput

export interface SessionLog {
  /** Of the last event; read on from here. */
  readonly seq: number
  readonly items: readonly LogItem[]
}

export const EMPTY_LOG: SessionLog = { seq: 0, items: [] }

/** The log with further events. */
export function addEvents(log: SessionLog, events: readonly Event[]): SessionLog {
  const fresh = events.filter((event) => event.seq > log.seq)
  if (fresh.length === 0) return log
  const items = [...log.items]
  const touched = new Map<string, { readonly index: number; readonly events: Event[] }>()
  for (const event of fresh) {
    const { turnId } = event
    if (turnId === null) {
      if (event.type === 'input/withdrawn' || event.type === 'input/refused')
        items.push({ kind: 'input', event })
      continue
    }
    const known = touched.get(turnId) ?? open(items, turnId, event.turn ?? 0)
    known.events.push(event)
    touched.set(turnId, known)
  }
  for (const { index, events: own } of touched.values()) {
    const item = items[index]
    if (item?.kind === 'turn') items[index] = { ...item, events: own }
  }
  return { seq: fresh.at(-1)?.seq ?? log.seq, items }
}

/** Where a Turn is among the items, and a copy of its events; new Turns come at the end. */
function open(
  items: LogItem[],
  turnId: string,
  turn: number,
): { readonly index: number; readonly events: Event[] } {
  const found = items.findLastIndex((item) => item.kind === 'turn' && item.turnId === turnId)
  const item = items[found]
  if (item?.kind === 'turn') return { index: found, events: [...item.events] }
  items.push({ kind: 'turn', turnId, turn, events: [] })
  return { index: items.length - 1, events: [] }
}

/** The newest Turn; undefined in an empty Session. */
export function lastTurn(log: SessionLog): TurnLog | undefined {
  return log.items.findLast((item): item is TurnLog => item.kind === 'turn')
}

/** Ids of the inputs whose fate is in the log. */
export function settledInputs(log: SessionLog): ReadonlySet<string> {
  return new Set(
    log.items.flatMap((item) => {
      const events: readonly Event[] = item.kind === 'turn' ? item.events : [item.event]
      return events.flatMap((event) =>
        event.type === 'user/message' || event.type === 'input/withdrawn' || event.type === 'input/refused'
          ? [event.inputId]
          : [],
      )
    }),
  )
}

/** Tells items of one log apart. */
export function keyOf(item: LogItem): string {
  return item.kind === 'turn' ? `turn ${item.turnId}` : `input ${item.event.inputId}`
}
