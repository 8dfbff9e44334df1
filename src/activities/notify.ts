/**
 * Telling one receiver what happened in a Turn: by a webhook, or by a signal to another workflow.
 */
import type { Event, Notify } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { callKey, heldKey, parseCallId, parseHeldId, parseWorkflowId, turnKey } from '../core/ids.ts'
import type { SessionStore } from '../core/ports.ts'
import type { DeliverRequest, Occasion } from './contracts.ts'
import type { ActivityPorts } from './ports.ts'

/** Those who asked to be told, with the inputs of a Turn, each once, in order. */
export async function receiversOf(
  store: SessionStore,
  session: SessionKey,
  turnId: string,
): Promise<readonly Notify[]> {
  const events = await store.read(session, { turnId, types: ['user/message'] })
  const asked = events.flatMap((event) =>
    event.type === 'user/message' && event.notify !== undefined ? [event.notify] : [],
  )
  return [...new Map(asked.map((notify) => [JSON.stringify(notify), notify])).values()]
}

/** How many want to be told, left out when nobody does. */
export async function notifyCount(
  store: SessionStore,
  session: SessionKey,
  turnId: string,
): Promise<{ readonly notify?: number }> {
  const { length } = await receiversOf(store, session, turnId)
  return length === 0 ? {} : { notify: length }
}

/**
 * Delivers at least once. Every delivery of an occasion has the same id, by which a receiver knows that it came before.
 * Fails, to be tried again, when the receiver does not take it.
 */
export async function notify(ports: ActivityPorts, request: DeliverRequest): Promise<void> {
  const { session, turnId, occasion, target } = request
  const receiver = (await receiversOf(ports.store, session, turnId))[target]
  const event = await ports.store.find(session, keyOf(turnId, occasion))
  if (receiver === undefined || event === undefined) return
  // What a Session is told comes from its client: a sender of one could stop or disturb any other by its name.
  if ('workflowId' in receiver && parseWorkflowId(receiver.workflowId) !== undefined) return
  const message = { type: event.type, session: session.session, tenant: session.tenant, ...detailsOf(event) }
  const about = occasion.kind === 'end' ? 'end' : occasion.callId
  const id = `${session.tenant}.${session.session}.${turnId}.${about}`
  if ('webhook' in receiver)
    await ports.notifier?.webhook(receiver.webhook, { id, body: JSON.stringify(message) })
  else await ports.notifier?.signal(receiver.workflowId, receiver.signal, { id, ...message })
}

function keyOf(turnId: string, occasion: Occasion): string {
  if (occasion.kind === 'end') return turnKey(turnId, 'end')
  const held = parseHeldId(occasion.callId)
  if (held !== undefined) return heldKey(turnId, held.step)
  const position = parseCallId(occasion.callId)
  return position === undefined ? turnKey(turnId, 'end') : callKey(turnId, position, 'requested')
}

/** What a receiver needs to know where to look; no arguments and no text of the conversation leave the store. */
function detailsOf(event: Event): Readonly<Record<string, unknown>> {
  if (event.type === 'turn/end') {
    const { turnId, turn, reason, code, inputs, usage, cost } = event
    return { turnId, turn, reason, ...(code === undefined ? {} : { code }), inputs, usage, cost }
  }
  if (event.type === 'approval/requested') {
    const { turnId, turn, callId, tool, risk, argumentsDigest, expiresAt } = event
    return { turnId, turn, callId, tool, risk, argumentsDigest, expiresAt }
  }
  if (event.type === 'guardrail/held') {
    const { turnId, turn, callId, guardrail, digest: argumentsDigest, expiresAt } = event
    return { turnId, turn, callId, guardrail, argumentsDigest, expiresAt }
  }
  return {}
}
