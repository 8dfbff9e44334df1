import type { EventOf } from '../../core/event.ts'
import { oneLine } from './terminal-text.ts'

const MAX_LINE = 400

/** How a Turn ended, for a person: nothing to say when it completed, else why, what was done, and how to go on. */
export function describeEnd(end: EventOf<'turn/end'>): readonly string[] {
  if (end.reason === 'completed') return []
  const { handBack } = end
  const withdrawn = end.inputs.filter(({ fate }) => fate === 'withdrawn').map(({ id }) => id)
  return [
    `${titleOf(end)} ${handBack === undefined ? '' : oneLine(handBack.blockedBy, MAX_LINE)}`.trimEnd(),
    ...(handBack?.done ?? []).map((line) => `  Done: ${oneLine(line, MAX_LINE)}`),
    ...(handBack === undefined ? [] : [`  Next: ${oneLine(handBack.next, MAX_LINE)}`]),
    ...(withdrawn.length === 0 ? [] : [`  Withdrawn, not run: ${withdrawn.join(', ')}`]),
  ]
}

function titleOf({ reason, code }: EventOf<'turn/end'>): string {
  if (reason === 'error') return `Failed (${code ?? 'internal'}):`
  if (reason === 'aborted') return 'Stopped:'
  return `Handed back (${reason}):`
}
