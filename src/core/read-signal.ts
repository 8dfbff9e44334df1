/**
 * Reading signals: `unknown` in, a typed value or a refusal out. Never throws, whatever was sent.
 */
import type { InputOrigin, Notify } from './event.ts'
import { isId } from './ids.ts'
import type { ReadInput } from './inbox.ts'
import { jsonBytes } from './inbox.ts'
import type { Content, ContentPart } from './message.ts'
import type { QueuedInput, StopSignal, WakeSignal, WireContent } from './wire.ts'
import { INBOX_LIMITS, isContentRef, UNDECODABLE } from './wire.ts'

type Fields = Readonly<Record<string, unknown>>

const WAKES: readonly WakeSignal['kind'][] = ['withdrawn', 'decided', 'answered']

const ORIGINS: readonly InputOrigin[] = ['user', 'system', 'tool']

/** Reads the payload of `followup` or `steer`. */
export function readInput(payload: unknown): ReadInput {
  const fields = fieldsOf(payload)
  if (fields === undefined || !isVersion(fields['v']))
    return { kind: 'refused', reason: 'invalid-input', ...idOf(fields) }
  const sizeBytes = sizeOf(payload)
  if (sizeBytes === undefined) return { kind: 'refused', reason: 'invalid-input', ...idOf(fields) }
  if (sizeBytes > INBOX_LIMITS.signalBytes) return { kind: 'refused', reason: 'too-large', ...idOf(fields) }
  const input = inputOf(fields)
  if (input === undefined) return { kind: 'refused', reason: 'invalid-input', ...idOf(fields) }
  return { kind: 'input', input, sizeBytes: jsonBytes(input) }
}

/** Reads the payload of `stop`. What is not said is the default; undefined when something cannot be read. */
export function readStop(payload: unknown): StopSignal | undefined {
  const fields = fieldsOf(payload ?? {})
  if (fields === undefined || UNDECODABLE in fields || !isVersion(fields['v'])) return undefined
  const { turnId, queue, mode } = fields
  if (turnId !== undefined && !isId(turnId)) return undefined
  if (queue !== undefined && !isOneOf(['withdraw', 'run'], queue)) return undefined
  if (mode !== undefined && !isOneOf(['now', 'after-step'], mode)) return undefined
  return {
    v: 1,
    ...(turnId === undefined ? {} : { turnId }),
    queue: queue === 'run' ? 'run' : 'withdraw',
    mode: mode === 'after-step' ? 'after-step' : 'now',
  }
}

/** Reads the payload of `interrupt`: a stop and the input that comes after it. Without that it stops nothing. */
export function readInterrupt(payload: unknown): {
  readonly stop: StopSignal | undefined
  readonly input: ReadInput
} {
  const fields = fieldsOf(payload) ?? {}
  const input = readInput(fields['input'])
  return { stop: input.kind === 'input' ? readStop(fields['stop']) : undefined, input }
}

/** Reads the payload of `wake`; undefined for what is not one. */
export function readWake(payload: unknown): Pick<WakeSignal, 'kind' | 'id'> | undefined {
  const { kind, id } = fieldsOf(payload) ?? {}
  return isOneOf(WAKES, kind) && isId(id) ? { kind, id } : undefined
}

function inputOf(fields: Fields): QueuedInput | undefined {
  const { id, origin, author, expectedTurnId, ifStale } = fields
  const content = contentOf(fields['content'])
  if (!isId(id) || content === undefined) return undefined
  if (origin !== undefined && !isOneOf(ORIGINS, origin)) return undefined
  if (author !== undefined && typeof author !== 'string') return undefined
  if (expectedTurnId !== undefined && !isId(expectedTurnId)) return undefined
  if (ifStale !== undefined && ifStale !== 'refuse' && ifStale !== 'followup') return undefined
  const notify = fields['notify'] === undefined ? undefined : notifyOf(fields['notify'])
  if (fields['notify'] !== undefined && notify === undefined) return undefined
  return {
    id,
    content,
    ...(origin === undefined ? {} : { origin }),
    ...(author === undefined ? {} : { author: wellFormed(author) }),
    ...(expectedTurnId === undefined ? {} : { expectedTurnId }),
    ...(ifStale === undefined ? {} : { ifStale }),
    ...(notify === undefined ? {} : { notify }),
  }
}

/** A content, made well formed; undefined for what is not one or says nothing. */
function contentOf(value: unknown): WireContent | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : wellFormed(value)
  if (Array.isArray(value)) {
    const parts = value.map(partOf)
    return parts.length > 0 && parts.every((part) => part !== undefined) ? parts : undefined
  }
  const fields = fieldsOf(value)
  if (typeof fields?.['ref'] !== 'string' || typeof fields['sizeBytes'] !== 'number') return undefined
  return { ref: wellFormed(fields['ref']), sizeBytes: fields['sizeBytes'] }
}

/** A content itself, no reference, made well formed; undefined for what is not one or says nothing. */
export function readContent(value: unknown): Content | undefined {
  const content = contentOf(value)
  return content === undefined || isContentRef(content) ? undefined : content
}

/** Reads the content that a reference stands for; undefined for text that is none. Anyone may refer to anything. */
export function readStoredContent(text: string): Content | undefined {
  try {
    return readContent(JSON.parse(text))
  } catch {
    return undefined
  }
}

function partOf(value: unknown): ContentPart | undefined {
  const fields = fieldsOf(value)
  if (fields === undefined) return undefined
  const { type, text, ref, mediaType, name } = fields
  if (type === 'text') return typeof text === 'string' ? { type, text: wellFormed(text) } : undefined
  if ((type !== 'image' && type !== 'file') || typeof ref !== 'string') return undefined
  if (mediaType !== undefined && typeof mediaType !== 'string') return undefined
  const media = {
    ref: wellFormed(ref),
    ...(mediaType === undefined ? {} : { mediaType: wellFormed(mediaType) }),
  }
  if (type === 'image') return { type, ...media }
  if (name !== undefined && typeof name !== 'string') return undefined
  return { type, ...media, ...(name === undefined ? {} : { name: wellFormed(name) }) }
}

function notifyOf(value: unknown): Notify | undefined {
  const { workflowId, signal, webhook } = fieldsOf(value) ?? {}
  if (typeof webhook === 'string') return { webhook }
  if (typeof workflowId === 'string' && typeof signal === 'string') return { workflowId, signal }
  return undefined
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function isVersion(value: unknown): boolean {
  return value === undefined || value === 1
}

function idOf(fields: Fields | undefined): { readonly id?: string } {
  return isId(fields?.['id']) ? { id: fields['id'] } : {}
}

function sizeOf(payload: unknown): number | undefined {
  try {
    return jsonBytes(payload)
  } catch {
    return undefined
  }
}

function isOneOf<T>(values: readonly T[], value: unknown): value is T {
  return (values as readonly unknown[]).includes(value)
}

/** Replaces lone surrogates and NULs, which neither providers nor databases take. */
function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD')
}
