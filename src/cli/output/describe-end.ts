import { tokensOf } from '../../core/cost.ts'
import type { EventOf } from '../../core/event.ts'
import { describeSpending } from './describe-spending.ts'
import { oneLine } from './terminal-text.ts'

const MAX_LINE = 400

/**
 * How a Turn ended, for a person: nothing to say when it completed, else why, what was done, and how to go on. What
 * it took is said when a price is known.
 */
export function describeEnd(end: EventOf<'turn/end'>): readonly string[] {
  const { usage, cost } = end
  const tokens = tokensOf(usage)
  const isEstimated = usage.estimated === true
  return [
    ...handBackLines(end),
    ...(cost === null ? [] : [`(${describeSpending({ tokens, cost, isEstimated })})`]),
  ]
}

function handBackLines(end: EventOf<'turn/end'>): readonly string[] {
  if (end.reason === 'completed') return []
  const { handBack } = end
  if (handBack === undefined) return [titleOf(end)]
  // What the agent said last is on the screen already.
  const done = handBack.done.filter((line) => !line.startsWith('Said: '))
  return [
    `${titleOf(end)} ${oneLine(handBack.blockedBy, MAX_LINE)}`,
    ...done.map((line) => `  Done: ${oneLine(line, MAX_LINE)}`),
    `  Next: ${oneLine(handBack.next, MAX_LINE)}`,
  ]
}

function titleOf({ reason, code }: EventOf<'turn/end'>): string {
  if (reason === 'error') return `Failed (${code ?? 'internal'}):`
  if (reason === 'aborted') return 'Stopped:'
  return `Handed back (${reason}):`
}
