/**
 * Server-sent events out of pieces of text, as the HTML standard has them.
 */
export interface StreamMessage {
  /** `message` when the server names none. */
  readonly event: string
  readonly data: string
  /** The last id that the stream has named; undefined before the first. */
  readonly lastEventId?: string
}

export class EventStreamParser {
  #buffer = ''
  #event = ''
  #data: string[] = []
  #lastEventId: string | undefined

  /** The messages that this piece completes, in order. */
  push(piece: string): StreamMessage[] {
    this.#buffer += piece
    const found: StreamMessage[] = []
    for (;;) {
      const end = /\r\n|\n|\r/.exec(this.#buffer)
      // A carriage return at the very end may be the first half of a line end.
      if (end === null || (end[0] === '\r' && end.index === this.#buffer.length - 1)) return found
      const line = this.#buffer.slice(0, end.index)
      this.#buffer = this.#buffer.slice(end.index + end[0].length)
      const message = this.#take(line)
      if (message !== undefined) found.push(message)
    }
  }

  #take(line: string): StreamMessage | undefined {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#lastEventId = value
    return undefined
  }

  #dispatch(): StreamMessage | undefined {
    const event = this.#event === '' ? 'message' : this.#event
    const data = this.#data
    this.#event = ''
    this.#data = []
    if (data.length === 0) return undefined
    return {
      event,
      data: data.join('\n'),
      ...(this.#lastEventId === undefined ? {} : { lastEventId: this.#lastEventId }),
    }
  }
}
