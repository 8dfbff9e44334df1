/**
 * Redaction of a text that arrives in pieces, in bounded memory.
 *
 * Owns what has arrived and may not be let go yet: the end of the text, which may become a part of something
 * sensitive, and what the detectors found to reach that end. What is let go is redacted in view of what stands
 * around it.
 */
import type { FoundSpan } from './find-spans.ts'
import { openBlockStart } from './private-key.ts'

export interface RedactionWindow {
  /** Takes the next piece, and returns redacted text that is safe to let go, often none. */
  push(chunk: string): string
  /** The rest. The window is done. */
  end(): string
}

/** The part of a text from `from` to `to`, redacted in view of the whole. */
export type RedactPart = (text: string, from: number, to: number) => string

export interface WindowParts {
  /** For text within text, whose escapes hide it. */
  readonly redactEscaped: (text: string) => string
  readonly redactPart: RedactPart
  readonly findSpans: (text: string) => readonly FoundSpan[]
}

/** What may be told apart from its surroundings only later is shorter, but for keys and tokens that were found. */
const HELD = 2_048
/** Of what was let go so much is remembered, for words that tell what comes next. */
const REMEMBERED = 256
/** Something sensitive that is longer is redacted piece by piece. */
const LONGEST = 1_048_576

/** What goes on with a key or token that was too long to be held whole. */
const CONTINUATION = /^[\w+/=.~\r\n-]+/

export function createRedactionWindow(parts: WindowParts): RedactionWindow {
  return new Window(parts)
}

class Window implements RedactionWindow {
  readonly #parts: WindowParts
  #before = ''
  #text = ''
  /** At which length the text is looked at next: each time is worth so much that all of them are linear together. */
  #nextLook = 2 * HELD
  #isContinuing = false

  constructor(parts: WindowParts) {
    this.#parts = parts
  }

  push(chunk: string): string {
    this.#text += this.#isContinuing ? this.#withoutContinuation(chunk) : chunk
    if (this.#text.length < this.#nextLook) return ''
    const end = this.#safeEnd()
    this.#nextLook = this.#text.length - end + Math.max(2 * HELD, this.#text.length - end)
    return this.#letGo(end)
  }

  end(): string {
    return this.#letGo(this.#text.length)
  }

  #letGo(end: number): string {
    if (end === 0) return ''
    const { length } = this.#before
    const redacted = this.#parts.redactPart(this.#before + this.#text, length, length + end)
    this.#before = (this.#before + this.#text.slice(0, end)).slice(-REMEMBERED)
    this.#text = this.#text.slice(end)
    return this.#parts.redactEscaped(redacted)
  }

  /** Up to where nothing can change any more: a line break if there is one, and not within something found. */
  #safeEnd(): number {
    const all = this.#before + this.#text
    const offset = this.#before.length
    const latest = all.length - HELD
    const lineBreak = all.lastIndexOf('\n', latest - 1) + 1
    let end = lineBreak > offset ? lineBreak : borderBefore(all, latest, offset)
    for (const span of this.#parts.findSpans(all)) {
      if (span.start < end && span.end > end) end = span.start
    }
    const block = openBlockStart(all)
    if (block !== undefined) end = Math.min(end, block)
    if (end > offset) return end - offset
    if (this.#text.length < LONGEST) return 0
    this.#isContinuing = true
    return this.#text.length
  }

  #withoutContinuation(chunk: string): string {
    const rest = chunk.replace(CONTINUATION, '')
    this.#isContinuing = rest === ''
    return rest
  }
}

/** How far back a border between two texts of JSON is looked for. */
const BORDER_REACH = 4_096

/** Behind a comma that follows a quote, where a line of JSON has one; else where it splits no surrogate pair. */
function borderBefore(text: string, index: number, from: number): number {
  const border = text.lastIndexOf('",', index - 2)
  if (border > Math.max(from, index - BORDER_REACH) && text.charAt(border - 1) !== '\\') return border + 2
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index
}
