/**
 * Writing Server-Sent Events to one reader.
 *
 * 1. Nothing is asked of the source before the reader has taken what came before.
 * 2. A reader that takes nothing for too long is cut; so is one for which `cut` is called. Nothing else happens.
 * 3. A stream with nothing to say sends a comment now and then. When the gateway goes it ends with a hint to come again.
 */
import type { Context } from 'hono'
import type { GatewayDeps, GatewayEnv } from '../gateway-deps.ts'

/** What a stream has to say, as text or as bytes of whole frames. Ends when it has said all. */
export type FrameSource = (reader: {
  /** Fires when the reader has gone, or the gateway goes. */
  readonly signal: AbortSignal
  /** Ends the connection at once. */
  readonly cut: () => void
}) => AsyncIterator<Uint8Array | string>

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Proxies that gather answers are told not to.
  'x-accel-buffering': 'no',
}

const encoder = new TextEncoder()

export interface EventStreamOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** A last frame for readers whose stream ends because the gateway goes. Default: none. */
  readonly goodbye?: string
}

/** Answers with the frames of a source, as they come. */
export function eventStream(
  c: Context<GatewayEnv>,
  deps: GatewayDeps,
  source: FrameSource,
  { headers = {}, goodbye = '' }: EventStreamOptions = {},
): Response {
  // Nobody reads, and so nobody would ever end, the body of an answer to HEAD.
  if (c.req.method === 'HEAD') return new Response(null, { headers: { ...HEADERS, ...headers } })
  const stream = new FrameStream(deps, { source, goodbye, hangUp: () => c.env.outgoing?.destroy() })
  return new Response(stream.body, { headers: { ...HEADERS, ...headers } })
}

class FrameStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #deps: GatewayDeps
  readonly #goodbye: string
  readonly #hangUp: () => void
  readonly #gone = new AbortController()
  readonly #frames: AsyncIterator<Uint8Array | string>
  readonly #heartbeat: NodeJS.Timeout
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Set while the reader waits for more. */
  #pulled: (() => void) | undefined
  #isAsking = false
  #ready: Uint8Array | undefined
  #isOver = false
  #stall: NodeJS.Timeout | undefined

  constructor(
    deps: GatewayDeps,
    of: { readonly source: FrameSource; readonly goodbye: string; readonly hangUp: () => void },
  ) {
    const { heartbeatMs } = deps.limits
    this.#deps = deps
    this.#goodbye = of.goodbye
    this.#hangUp = of.hangUp
    this.#frames = of.source({ signal: this.#gone.signal, cut: () => this.#cut() })
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref()
    deps.closing.addEventListener('abort', this.#close)
    deps.metrics.streamOpened()
    this.body = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller
          controller.enqueue(encoder.encode(`retry: ${deps.limits.retryMs}\n\n`))
        },
        pull: () => this.#pull(),
        cancel: () => this.#release(),
      },
      { highWaterMark: 0 },
    )
  }

  #pull(): Promise<void> {
    clearTimeout(this.#stall)
    return new Promise((resolve) => {
      this.#pulled = resolve
      this.#flush()
    })
  }

  /** Hands over what there is if the reader waits, else asks for more. */
  #flush(): void {
    if (this.#pulled === undefined) return
    if (this.#ready !== undefined) {
      const ready = this.#ready
      this.#ready = undefined
      this.#give(ready)
    } else if (this.#deps.closing.aborted) {
      this.#end(
        encoder.encode(`${this.#goodbye}: the server is going\nretry: ${this.#deps.limits.retryMs}\n\n`),
      )
    } else if (this.#isOver) this.#end()
    else this.#ask()
  }

  #ask(): void {
    if (this.#isAsking) return
    this.#isAsking = true
    void this.#frames
      .next()
      .catch(() => ({ done: true as const, value: undefined }))
      .then(({ done, value }) => {
        this.#isAsking = false
        if (done === true) this.#isOver = true
        else this.#ready = typeof value === 'string' ? encoder.encode(value) : value
        this.#flush()
      })
  }

  #give(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes)
    this.#stall = setTimeout(() => this.#cut(), this.#deps.limits.readerStallMs).unref()
    const pulled = this.#pulled
    this.#pulled = undefined
    pulled?.()
  }

  #beat(): void {
    if (this.#pulled !== undefined && this.#ready === undefined) this.#give(encoder.encode(':\n\n'))
  }

  readonly #close = (): void => this.#flush()

  #end(last?: Uint8Array): void {
    if (last !== undefined) this.#controller?.enqueue(last)
    this.#controller?.close()
    this.#release()
  }

  #cut(): void {
    if (this.#gone.signal.aborted) return
    this.#deps.metrics.readerCut()
    this.#release()
    this.#hangUp()
  }

  /** Idempotent. */
  #release(): void {
    if (this.#gone.signal.aborted) return
    clearInterval(this.#heartbeat)
    clearTimeout(this.#stall)
    this.#deps.closing.removeEventListener('abort', this.#close)
    this.#deps.metrics.streamClosed()
    this.#gone.abort()
    this.#pulled?.()
    this.#pulled = undefined
    void this.#frames.return?.(undefined)?.catch(() => undefined)
  }
}
