import type { Session, StreamItem } from '../client/index.ts'

/**
 * Without a terminal nobody is there to ask: what waits for approval is denied at once, so that a Turn of a script
 * does not wait for a day. Somebody else's decision that came first counts.
 */
export function denyAtOnce(session: Session, item: StreamItem, note: (line: string) => void): void {
  if (item.kind !== 'event' || item.event.type !== 'approval/requested') return
  const { callId, tool } = item.event
  note(`Denied: ${tool} needs approval, and there is no terminal to ask on.`)
  session
    .decide(callId, { decision: 'deny', by: 'cli', note: 'Nobody is there to approve it.' })
    .catch(() => undefined)
}
