/**
 * Operational failures: one class, a closed union of codes, the cause kept.
 *
 * Expected outcomes (a tool failed, a budget is spent) are values, not errors; bugs throw what they throw.
 */

export type ErrorCode =
  /** The store cannot be reached or is busy: wait and try again. */
  | 'store-unavailable'
  /** The store is there but unusable (schema, corruption): trying again does not help. */
  | 'store-corrupt'
  /** The log lacks what the workflow knows was written. */
  | 'log-behind'
  /** 429 from the provider. */
  | 'rate-limited'
  /** Network failure, 5xx or time-out of the provider. */
  | 'provider-unavailable'
  /** The provider refuses the request as malformed. */
  | 'provider-rejected'
  /** The provider refuses the key or the account. */
  | 'provider-auth'
  /** The provider answers with something that is not its protocol. */
  | 'provider-protocol'
  /** The request is larger than the model's window. */
  | 'context-too-long'
  | 'empty-completion'
  /** Workers died at the same piece of work too often. */
  | 'worker-lost'
  /** The Turn's workflow ended without closing it. */
  | 'terminated'
  | 'unknown-agent'
  | 'invalid-input'
  | 'invalid-config'
  | 'temporal-unavailable'
  /** The tenant has no such Session. */
  | 'session-not-found'
  | 'session-busy'
  /** No Turn of the Session goes by this id. */
  | 'turn-not-found'
  | 'turn-not-running'
  | 'abort-pending'
  | 'input-not-found'
  | 'input-already-claimed'
  /** Nobody asked for a decision on this call, or the client was not given it. */
  | 'call-not-waiting'
  /** Somebody decided otherwise, or answered, before. */
  | 'already-decided'
  /** The decision, or the answer, came after its time. */
  | 'too-late'
  /** The decision is about other arguments than those that are asked about. */
  | 'arguments-changed'
  /** The Session has no such spill, or not any more. */
  | 'spill-not-found'
  | 'timed-out'
  | 'internal'

const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'store-unavailable',
  'rate-limited',
  'provider-unavailable',
  'provider-protocol',
  'temporal-unavailable',
])

export class TurnstepError extends Error {
  override readonly name = 'TurnstepError'
  readonly code: ErrorCode
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** How long the other side asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryable = RETRYABLE.has(code)
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
  }
}

export function isTurnstepError(error: unknown): error is TurnstepError {
  return error instanceof TurnstepError
}

/** Marks a branch that the types say cannot be reached. */
export function assertNever(value: never, what: string): never {
  throw new Error(`${what}: unexpected ${JSON.stringify(value)}`)
}
