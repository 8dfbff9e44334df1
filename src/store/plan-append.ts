/**
 * What a commit appends: pure, so that the rule stands apart from the statements that carry it out.
 */
import type { Event, NewEvent } from '../core/event.ts'
import { advanceHead, type LogHead, type Refusal } from '../core/log-head.ts'
import { toEvent } from './event-row.ts'
import { toColumnText } from './stored-text.ts'

export type AppendPlan =
  | {
      readonly kind: 'append'
      /** One for each that was wanted, in that order. */
      readonly events: readonly Event[]
      /** Those of them that are new, in order of `seq`. */
      readonly fresh: readonly Event[]
      readonly head: LogHead
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * Places the events that are new behind the head, and puts those that are there in the others' place.
 *
 * `existing` holds, by key as a column holds it, what the log has under the keys of `wanted`; of two with
 * one key in `wanted`, the first wins. Only what is new meets the fence.
 */
export function planAppend(
  log: { readonly head: LogHead; readonly existing: ReadonlyMap<string, Event> },
  wanted: readonly NewEvent[],
  at: string,
): AppendPlan {
  let { head } = log
  const placed = new Map<string, Event>()
  const events: Event[] = []
  const fresh: Event[] = []
  for (const event of wanted) {
    const key = toColumnText(event.key)
    const there = log.existing.get(key) ?? placed.get(key)
    if (there !== undefined) {
      events.push(there)
      continue
    }
    const advance = advanceHead(head, event)
    if (advance.kind === 'refused') return advance
    head = advance.head
    const added = toEvent(event, { seq: head.seq, at })
    placed.set(key, added)
    events.push(added)
    fresh.push(added)
  }
  return { kind: 'append', events, fresh, head }
}
