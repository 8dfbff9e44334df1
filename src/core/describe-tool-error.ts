/**
 * What a tool threw, as the text that the model reads.
 */
import { clip, makePrintable } from './printable-text.ts'

const MESSAGE_LIMIT = 500
const GUIDANCE_LIMIT = 300
const DEEPEST_CAUSE = 3

const GUIDANCE =
  'Check the arguments, try another way, or tell the user what is missing. The same call is likely to fail the same way.'

/** What is done to a text before it is cut. */
type Redact = (text: string) => string

/**
 * Type and message (at most 500 characters, causes included), then guidance on a line of its own: the error's
 * own `guidance` if it has one, else a general one.
 *
 * `redact` sees every text before it is cut. Never throws but for what that does, whatever was thrown and whatever it does when it is read. Stack traces are left out, also where
 * somebody has put one into a message.
 */
export function describeToolError(error: unknown, redact: Redact = (text) => text): string {
  const guidance = readText(error, 'guidance')
  const advice = guidance === undefined ? GUIDANCE : clip(redact(guidance), GUIDANCE_LIMIT)
  return `${describeThrown(error, MESSAGE_LIMIT, redact)}\n${advice}`
}

/** Type, message and causes of anything that was thrown, printable and at most `limit` UTF-16 units long. */
export function describeThrown(error: unknown, limit: number, redact: Redact = (text) => text): string {
  const parts: string[] = []
  let current = error
  for (let depth = 0; depth <= DEEPEST_CAUSE; depth += 1) {
    const part = describeOne(current)
    if (!parts.includes(part)) parts.push(part)
    current = read(current, 'cause') ?? firstOf(read(current, 'errors'))
    if (current === undefined || current === null) break
  }
  return clip(redact(parts.join(', caused by ')), limit)
}

function describeOne(error: unknown): string {
  if (typeof error === 'string') return withoutStack(error) || 'Error without a message'
  if (typeof error !== 'object' && typeof error !== 'function')
    return `Thrown value: ${clip(String(error), MESSAGE_LIMIT)}`
  const type = readText(error, 'name') ?? readText(read(error, 'constructor'), 'name') ?? 'Error'
  const message = readText(error, 'message') ?? 'no message'
  return `${clip(type, 60)}: ${message}`
}

/** A property that is a string with something in it, printable and free of stack traces. */
function readText(holder: unknown, property: string): string | undefined {
  const value = read(holder, property)
  if (typeof value !== 'string') return undefined
  const text = withoutStack(value)
  return text === '' ? undefined : text
}

function read(holder: unknown, property: string): unknown {
  if ((typeof holder !== 'object' && typeof holder !== 'function') || holder === null) return undefined
  try {
    return (holder as Readonly<Record<string, unknown>>)[property]
  } catch {
    return undefined
  }
}

function firstOf(list: unknown): unknown {
  return read(list, '0')
}

function withoutStack(text: string): string {
  // More than is ever shown, and little enough that a message of many megabytes costs nothing.
  const lines = makePrintable(clip(text, 8 * MESSAGE_LIMIT)).split('\n')
  return lines
    .filter((line) => !/^\s+at\s\S/.test(line))
    .join('\n')
    .trim()
}
