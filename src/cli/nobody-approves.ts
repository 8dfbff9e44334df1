import type { Session, StreamItem } from '../client/index.ts'

/**
 * Without a terminal nobody is there to ask: what waits for approval is denied at once, so that a Turn of a script
 * does not wait for a day. Somebody else's decision that came first counts.
 */
export function denyAtOnce(session: Session, item: StreamItem, note: (line: string) => void): void {
  if (item.kind !== 'event') return
  const { event } = item
  if (event.type !== 'approval/requested' && event.type !== 'guardrail/held') return
  const { callId } = event
  const what = event.type === 'guardrail/held' ? 'the answer' : event.tool
  note(`Denied: ${what} needs approval, and there is no terminal to ask on.`)
  session
    .decide(callId, { decision: 'deny', by: 'cli', note: 'Nobody is there to approve it.' })
    .catch(() => undefined)
}
