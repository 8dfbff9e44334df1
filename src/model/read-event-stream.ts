/**
 * Reads the body of a streaming answer: server-sent events, or one JSON document from a server that does not stream.
 */

/** One piece of the body. `document` is the whole body when it is not an event stream. */
export type StreamItem =
  | { readonly kind: 'event'; readonly name: string; readonly data: string }
  | { readonly kind: 'document'; readonly text: string }

/**
 * Cuts a body into items, whatever the chunks it comes in: UTF-8 sequences and line ends may be split anywhere,
 * lines may end in LF, CRLF or CR, comments are skipped, the last event need not be closed by a blank line.
 */
export class StreamReader {
  readonly #decoder = new TextDecoder('utf-8')
  #kind: 'unknown' | 'events' | 'document' = 'unknown'
  readonly #document: string[] = []
  #rest = ''
  #name = ''
  #data: string[] = []

  push(bytes: Uint8Array): readonly StreamItem[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The end of the body: what is left of it. */
  end(): readonly StreamItem[] {
    const items = [...this.#read(this.#decoder.decode())]
    if (this.#kind === 'document') return [{ kind: 'document', text: this.#document.join('') }]
    if (this.#rest !== '') this.#line(this.#rest.replace(/\r$/, ''), items)
    this.#line('', items)
    return items
  }

  #read(text: string): readonly StreamItem[] {
    if (this.#kind === 'unknown') this.#kind = kindOf(this.#rest + text)
    if (this.#kind === 'document') {
      this.#document.push(this.#rest + text)
      this.#rest = ''
      return []
    }
    // A line of many chunks is gathered without looking at its beginning again.
    if (!this.#rest.endsWith('\r') && !/[\r\n]/.test(text)) {
      this.#rest += text
      return []
    }
    const items: StreamItem[] = []
    const all = this.#rest + text
    let from = 0
    // A CR at the very end may be half of a CRLF: it is kept for the next piece.
    for (const match of all.matchAll(/\r\n|\n|\r(?!$)/g)) {
      this.#line(all.slice(from, match.index), items)
      from = match.index + match[0].length
    }
    this.#rest = all.slice(from)
    return items
  }

  #line(line: string, items: StreamItem[]): void {
    if (line === '') {
      if (this.#data.length > 0) items.push({ kind: 'event', name: this.#name, data: this.#data.join('\n') })
      this.#name = ''
      this.#data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
  }
}

/** No line of an event stream begins with a brace, a bracket or an angle bracket. */
function kindOf(text: string): 'unknown' | 'events' | 'document' {
  const first = text.trimStart()[0]
  if (first === undefined) return 'unknown'
  return first === '{' || first === '[' || first === '<' ? 'document' : 'events'
}
