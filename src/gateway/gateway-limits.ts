/**
 * How much of anything a gateway takes and gives.
 */
export interface GatewayLimits {
  /** Of a request's body. */
  readonly bodyBytes: number
  /** How deep arrays and objects of a body may be nested. */
  readonly jsonDepth: number
  /** Requests that a principal may make in a minute; 0 for any number. */
  readonly requestsPerMinute: number
  /** How long `wait` of a Turn may be, in seconds. */
  readonly waitSeconds: number
  /** How long an abort waits for the end of its Turn before it answers `abort-pending`. */
  readonly abortMs: number
  /** What may be kept for a reader who is behind; one with more is cut. */
  readonly readerBytes: number
  /** How long a reader may take nothing of what is there for it; then it is cut. */
  readonly readerStallMs: number
  /** How often a stream with nothing to say shows that it is alive. */
  readonly heartbeatMs: number
  /** After which time a reader whose stream has ended should come back. */
  readonly retryMs: number
}

export const DEFAULT_LIMITS: GatewayLimits = {
  bodyBytes: 4 * 1024 * 1024,
  jsonDepth: 64,
  requestsPerMinute: 1_200,
  waitSeconds: 60,
  abortMs: 10_000,
  readerBytes: 1024 * 1024,
  readerStallMs: 30_000,
  heartbeatMs: 15_000,
  retryMs: 1_000,
}
