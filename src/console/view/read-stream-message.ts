import type { StreamMessage } from '../api/event-stream-parser.ts'
import type { StreamItem } from './session-state.ts'

/** What a message of the stream says; `status` when the phase has changed, undefined for what is not known here. */
export function readStreamMessage({ event, data }: StreamMessage): StreamItem | 'status' | undefined {
  if (event === 'status') return 'status'
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (event === 'delta') return { kind: 'delta', delta: value as never }
  if (event === 'reset') return { kind: 'reset', reset: value as never }
  return 'seq' in value && 'type' in value ? { kind: 'event', event: value as never } : undefined
}
