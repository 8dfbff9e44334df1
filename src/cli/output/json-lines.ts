import type { StreamItem } from '../../client/index.ts'
import type { Event } from '../../core/event.ts'

/** Prints one JSON document as a line of standard output. */
export function printLine(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document)}\n`)
}

/** Prints an event as it is in the log, its fields in one order for all. */
export function printEvent(event: Event): void {
  const { seq, at, type, turn, turnId, ...rest } = event
  printLine({ seq, at, type, turn, turnId, ...rest })
}

/** Prints an item of a stream: an event as itself, live text as `delta` and `reset`, without `seq`. */
export function printItem(item: StreamItem): void {
  if (item.kind === 'event') printEvent(item.event)
  else if (item.kind === 'delta') printLine({ type: 'delta', ...item.delta })
  else printLine({ type: 'reset', turnId: item.turnId, step: item.step, attempt: item.attempt })
}
