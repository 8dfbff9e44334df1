/**
 * Where a Turn came to wait for a front end, so that what follows can be told alone.
 */
import type { StreamItem } from '../../client/follow-events.ts'
import type { Event } from '../../core/event.ts'
import { type TurnChoice, TurnStory } from './turn-story.ts'

/**
 * The `seq` at which a Turn last came to wait, before any of these calls was decided on or answered; undefined when it
 * never did.
 */
export function pausedAt(
  events: readonly Event[],
  choice: TurnChoice,
  callIds: ReadonlySet<string>,
): number | undefined {
  const story = new TurnStory(choice)
  let seq: number | undefined
  for (const event of events) {
    const isAnswer = event.type === 'approval/decided' || event.type === 'tool/result'
    if (isAnswer && callIds.has(event.callId)) return seq
    const item: StreamItem = { kind: 'event', event }
    if (story.read(item).some(({ kind }) => kind === 'waiting')) seq = event.seq
  }
  return seq
}
