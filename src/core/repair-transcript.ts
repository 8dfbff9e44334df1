/**
 * Repair: makes any list of messages one that a strict provider accepts.
 *
 * A provider refuses a call without its receipt right behind, a receipt without its call, a second receipt,
 * two calls of one id, and an empty assistant message. Our own logs derive to none of these; histories from
 * elsewhere, or cut by someone, do.
 *
 * Receipts are paired with calls by order, never by a set of ids, because some servers give every call the
 * same id: a receipt answers the latest message before it that has an unanswered call of that id, and there
 * the first such call.
 */
import type { AssistantMessage, Message, ToolCall, ToolMessage } from './message.ts'
import { isErrorReceipt, synthesizedText } from './receipt.ts'

interface CallSlot {
  readonly call: ToolCall
  receipt?: ToolMessage
}

type Item =
  | { readonly kind: 'other'; readonly message: Message }
  | { readonly kind: 'assistant'; readonly message: AssistantMessage; readonly slots: readonly CallSlot[] }

/**
 * The same conversation, valid for a strict provider. Idempotent, and the identity on valid lists whose
 * receipts are in call order.
 *
 * - A missing receipt is inserted right after its call's message (`outcome-unknown`: nothing is known).
 * - An orphan, or a second receipt of a call, is dropped.
 * - Receipts stand behind their call's message, in the order of its calls.
 * - An assistant message without text and calls is dropped; reasoning alone is empty.
 * - A call id that was used before, or is empty, gets a new one, in call and receipt.
 */
export function repairTranscript(messages: readonly Message[]): Message[] {
  const usedIds = new Set<string>()
  return pairUp(messages).flatMap((item) =>
    item.kind === 'other' ? [item.message] : withReceipts(item, usedIds),
  )
}

function pairUp(messages: readonly Message[]): Item[] {
  const items: Item[] = []
  const unanswered = new Map<string, CallSlot[][]>()
  for (const message of messages) {
    if (message.role === 'tool') {
      answer(unanswered, message)
    } else if (message.role === 'user') {
      items.push({ kind: 'other', message })
    } else if (message.calls.length > 0 || message.text.trim() !== '') {
      const slots = message.calls.map((call): CallSlot => ({ call }))
      const byId = new Map<string, CallSlot[]>()
      for (const slot of slots) push(byId, slot.call.callId, slot)
      for (const [callId, queue] of byId) push(unanswered, callId, queue)
      items.push({ kind: 'assistant', message, slots })
    }
  }
  return items
}

/** Gives the receipt to its call; an orphan finds none and is forgotten. */
function answer(unanswered: ReadonlyMap<string, CallSlot[][]>, receipt: ToolMessage): void {
  const messages = unanswered.get(receipt.callId)
  const queue = messages?.at(-1)
  const slot = queue?.shift()
  if (slot === undefined) return
  slot.receipt = receipt
  if (queue?.length === 0) messages?.pop()
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function withReceipts(item: Extract<Item, { kind: 'assistant' }>, usedIds: Set<string>): Message[] {
  const renamed = item.slots.map(({ call, receipt }) => {
    const callId = freshId(call.callId, usedIds)
    usedIds.add(callId)
    return {
      call: callId === call.callId ? call : { ...call, callId },
      receipt: receipt?.callId === callId ? receipt : { ...(receipt ?? missingReceipt(callId)), callId },
    }
  })
  const isRenamed = renamed.some(({ call }, index) => call !== item.slots[index]?.call)
  return [
    isRenamed ? { ...item.message, calls: renamed.map(({ call }) => call) } : item.message,
    ...renamed.map(({ receipt }) => receipt),
  ]
}

function freshId(callId: string, usedIds: ReadonlySet<string>): string {
  const base = callId === '' ? 'call' : callId
  let id = base
  for (let count = 2; usedIds.has(id); count += 1) id = `${base}_${count}`
  return id
}

function missingReceipt(callId: string): ToolMessage {
  const kind = 'outcome-unknown'
  return { role: 'tool', callId, kind, isError: isErrorReceipt(kind), content: synthesizedText(kind) }
}
