/**
 * A body as text for a model, by what its content type says.
 */
import { TextDecoder } from 'node:util'
import type { Body } from './read-body.ts'

const TEXT_TYPES =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml)|application\/(x-ndjson|ndjson|jsonl|x-yaml|toml|(x-)?javascript|ecmascript|graphql|sql|x-www-form-urlencoded|xhtml\+xml)|.*\+(json|xml|yaml))$/
const HTML_TYPES = /^(text\/html|application\/xhtml\+xml)$/
/** A body without a type, or of a text type that is none, is told by a NUL byte in its beginning, as in files. */
const BINARY_PROBE_BYTES = 8 * 1024
const DECLARATION_PROBE_BYTES = 1_024

export interface BodySource {
  readonly contentType: string | undefined
  readonly url: URL
  readonly signal: AbortSignal
}

/** Of text: decoded, HTML as plain readable text. Of anything else, that it is binary, and its size. */
export async function bodyText(
  { bytes, isCut }: Body,
  { contentType, url, signal }: BodySource,
): Promise<string> {
  const type = (contentType ?? '').slice(0, 200).split(';')[0]?.trim().toLowerCase() ?? ''
  const charset = charsetOf(bytes, contentType)
  const isText = type === '' || TEXT_TYPES.test(type)
  const isWide = charset.startsWith('utf-16')
  if (!isText || (!isWide && bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)))
    return `binary, ${isCut ? 'more than ' : ''}${bytes.length} bytes`
  // A character that the limit has cut in two is dropped.
  const text = decoderOf(charset).decode(bytes, { stream: isCut })
  if (!HTML_TYPES.test(type)) return text
  // Only who reads pages pays for the parser.
  const { readableText } = await import('./readable-text.ts')
  return readableText(text, url, signal)
}

/** The byte order mark, else what the header says, else what the document itself does, else UTF-8. */
function charsetOf(bytes: Buffer, contentType = ''): string {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const declared = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
  const beginning = bytes.subarray(0, DECLARATION_PROBE_BYTES).toString('latin1')
  const own = /<(?:meta\s[^>]*?charset|\?xml\s[^>]*?encoding)\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(
    beginning,
  )?.[1]
  return (declared ?? own ?? 'utf-8').toLowerCase()
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    // A label that nobody knows says nothing.
    return new TextDecoder('utf-8')
  }
}
