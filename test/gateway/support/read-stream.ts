/** One event of a stream, as a browser would see it. */
export interface Frame {
  readonly id?: string
  readonly event: string
  readonly data: Record<string, unknown>
}

/** A reader of Server-Sent Events over a socket of its own. */
export class StreamReader {
  readonly frames: Frame[] = []
  comments = 0
  retryMs: number | undefined
  isOver = false
  readonly response: Response
  readonly #abort: AbortController
  #wake: (() => void)[] = []

  private constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    void this.#read()
      .catch(() => undefined)
      .finally(() => {
        this.isOver = true
        this.#notify()
      })
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamReader> {
    const abort = new AbortController()
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: abort.signal,
    })
    return new StreamReader(response, abort)
  }

  /** Waits until the frames, or what else is known, are as wanted; fails after a bound. */
  async until(isSo: (reader: this) => boolean, timeoutMs = 20_000): Promise<this> {
    const deadline = Date.now() + timeoutMs
    while (!isSo(this)) {
      const leftMs = deadline - Date.now()
      if (leftMs <= 0 || (this.isOver && !isSo(this)))
        throw new Error(`Not so: ${isSo}. Seen: ${this.types().join(' ')}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs)
        this.#wake.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
    return this
  }

  has(event: string): boolean {
    return this.frames.some((frame) => frame.event === event)
  }

  types(): readonly string[] {
    return this.frames.map(({ event }) => event)
  }

  ids(): readonly number[] {
    return this.frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
  }

  close(): void {
    this.#abort.abort()
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder()
    let rest: string[] = []
    for await (const chunk of this.response.body ?? []) {
      const text = decoder.decode(chunk, { stream: true })
      const isEnd = `${rest.at(-1)?.slice(-1) ?? ''}${text}`.includes('\n\n')
      rest.push(text)
      if (!isEnd) continue
      const blocks = rest.join('').split('\n\n')
      rest = [blocks.pop() ?? '']
      for (const block of blocks) this.#take(block)
      this.#notify()
    }
  }

  #take(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const at = line.indexOf(':')
      if (at === 0) this.comments += 1
      else fields.set(line.slice(0, at), line.slice(at + 2))
    }
    const retry = fields.get('retry')
    if (retry !== undefined) this.retryMs = Number(retry)
    const data = fields.get('data')
    if (data === undefined) return
    const id = fields.get('id')
    this.frames.push({
      ...(id === undefined ? {} : { id }),
      event: fields.get('event') ?? 'message',
      data: JSON.parse(data) as Record<string, unknown>,
    })
  }
}
