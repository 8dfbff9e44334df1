/**
 * Items as Server-Sent Events.
 */
import type { TailItem } from './tail-item.ts'

const encoder = new TextEncoder()
const encoded = new WeakMap<TailItem, Uint8Array>()

/** The bytes of an item, made once however many readers it has. Only events have an `id:`, their `seq`. */
export function frameOf(item: TailItem): Uint8Array {
  let frame = encoded.get(item)
  if (frame === undefined) {
    frame = encoder.encode(textOf(item))
    encoded.set(item, frame)
  }
  return frame
}

export function sseFrame(fields: {
  readonly id?: number | string
  readonly event?: string
  readonly data: unknown
}): string {
  const id = fields.id === undefined ? '' : `id: ${fields.id}\n`
  const event = fields.event === undefined ? '' : `event: ${fields.event}\n`
  return `${id}${event}data: ${JSON.stringify(fields.data)}\n\n`
}

function textOf(item: TailItem): string {
  switch (item.kind) {
    case 'event':
      return sseFrame({ id: item.event.seq, event: item.event.type, data: item.event })
    case 'delta':
      return sseFrame({ event: 'delta', data: item.delta })
    case 'reset': {
      const { kind: _, ...data } = item
      return sseFrame({ event: 'reset', data })
    }
    case 'status':
      return sseFrame({ event: 'status', data: item.status })
  }
}
