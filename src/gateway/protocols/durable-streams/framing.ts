/**
 * How the messages of a stream stand in a body and in an event, by the stream's content type.
 */

/** `base64`: bytes that are no text. */
export type Framing = 'json' | 'text' | 'base64'

export function framingOf(contentType: string): Framing {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  return type.startsWith('text/') ? 'text' : 'base64'
}

/** Messages as the body of an answer: an array of JSON values, else their bytes, one after the other. */
export function bodyOf(messages: readonly Uint8Array[], framing: Framing): Uint8Array<ArrayBuffer> {
  if (framing !== 'json') return new Uint8Array(Buffer.concat([...messages]))
  const separated = messages.flatMap((message, index) => (index === 0 ? [message] : [COMMA, message]))
  return new Uint8Array(Buffer.concat([OPEN, ...separated, CLOSE]))
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

/** Messages as one event. No line of what they say can be taken for a line of the protocol. */
export function dataEventOf(messages: readonly Uint8Array[], framing: Framing): string {
  const body = Buffer.from(bodyOf(messages, framing))
  return eventOf('data', framing === 'base64' ? body.toString('base64') : body.toString('utf8'))
}

export function eventOf(event: 'data' | 'control', data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data:${line}\n`)
  return `event: ${event}\n${lines.join('')}\n`
}
