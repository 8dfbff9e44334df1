/** Logs with one thing wrong, made of the standard example or of a Turn of one Step. */
import type { Event, NewEvent } from '../../../src/core/event.ts'
import { type Rule, verifyLog } from '../../../src/core/verify-log.ts'
import { sampleTurn, seal, standardEvents, usageOf } from '../sample-log.ts'

export const turn = sampleTurn('u1')
export const second = sampleTurn('u2', 2)

/** What a Turn with one message says of its usage. */
export const END_OF_ONE = { usage: usageOf(1) }

/** The standard log with some events taken out and others put in their place, as `splice` does. */
export function spliced(from: number, remove: number, ...put: readonly NewEvent[]): Event[] {
  return seal(standardEvents().toSpliced(from, remove, ...put))
}

/** The standard log with fields of one event changed. */
export function changed(index: number, over: object): Event[] {
  return seal(
    standardEvents().map((event, at) => (at === index ? ({ ...event, ...over } as NewEvent) : event)),
  )
}

/** A Turn of one Step: its events after `step/start`, and how it ends. */
export function oneStep(inStep: readonly NewEvent[], end: NewEvent): Event[] {
  return seal([turn.start(), turn.followup(), turn.stepStart(1), ...inStep, turn.stepEnd(1), end])
}

/** The rules that a log breaks, each once, in order of appearance. */
export function brokenRules(events: readonly Event[]): readonly Rule[] {
  return [...new Set(verifyLog(events).map(({ rule }) => rule))]
}
