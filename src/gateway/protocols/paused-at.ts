/**
 * Where a Turn came to wait for a front end, so that what follows can be told alone.
 */
import type { StreamItem } from '../../client/follow-events.ts'
import type { Event } from '../../core/event.ts'
import { type TurnChoice, TurnStory } from './turn-story.ts'

/**
 * The `seq` at which a Turn last came to wait for any of these calls, before one of them was decided on or answered; of
 * no calls, at which it last came to wait at all. Undefined when it never did. `events` begin with the Turn, or before.
 */
export async function pausedAt(
  events: AsyncIterable<Event> | Iterable<Event>,
  choice: TurnChoice,
  callIds: ReadonlySet<string>,
): Promise<number | undefined> {
  const story = new TurnStory(choice)
  let paused: { readonly seq: number; readonly callIds: readonly string[] } | undefined
  for await (const event of events) {
    const isAnswer = event.type === 'approval/decided' || event.type === 'tool/result'
    if (isAnswer && callIds.has(event.callId) && paused?.callIds.includes(event.callId) === true) break
    const item: StreamItem = { kind: 'event', event }
    for (const part of story.read(item))
      if (part.kind === 'waiting' && (callIds.size === 0 || part.callIds.some((id) => callIds.has(id))))
        paused = { seq: event.seq, callIds: part.callIds }
    if (story.isOver) break
  }
  return paused?.seq
}
