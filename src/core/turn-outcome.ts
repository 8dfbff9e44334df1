import type { Event, EventOf } from './event.ts'
import type { TurnOutcome } from './wire.ts'

/** What a Turn came to, from its events; undefined while it is open. */
export function turnOutcome(events: readonly Event[], turnId: string): TurnOutcome | undefined {
  const own = events.filter((event) => event.turnId === turnId)
  const end = own.find((event): event is EventOf<'turn/end'> => event.type === 'turn/end')
  if (end === undefined) return undefined
  const last = own.findLast(
    (event): event is EventOf<'assistant/message'> => event.type === 'assistant/message',
  )
  return {
    turnId,
    turn: end.turn,
    reason: end.reason,
    ...(end.code === undefined ? {} : { code: end.code }),
    ...(end.scope === undefined ? {} : { scope: end.scope }),
    text: last !== undefined && last.calls.length === 0 ? last.text : '',
    steps: own.filter((event) => event.type === 'step/start').length,
    ...(end.handBack === undefined ? {} : { handBack: end.handBack }),
    inputs: end.inputs,
    usage: end.usage,
    cost: end.cost,
  }
}
