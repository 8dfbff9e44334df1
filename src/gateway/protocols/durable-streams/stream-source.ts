/**
 * What a stream of the Durable Streams protocol is read from.
 */

export interface StreamHead {
  readonly contentType: string
  /** How many messages there are. */
  readonly tail: number
  /** Whether no more will come. */
  readonly isClosed: boolean
}

export interface StreamPage {
  readonly messages: readonly Uint8Array[]
  /** The position after the last of them. */
  readonly next: number
  /** As the stream was when the page was read. */
  readonly head: StreamHead
}

/** Positions count messages: 0 is the beginning, `tail` the end. */
export interface StreamSource {
  /** Undefined for a stream that does not exist. */
  head(): Promise<StreamHead | undefined>
  /** Messages after a position, as many as are read at once. */
  page(after: number): Promise<StreamPage>
  /** Resolves when there may be more after a position, or the stream was closed, or the signal fires. */
  changed(after: number, signal: AbortSignal): Promise<void>
}
