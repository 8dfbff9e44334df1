/**
 * The one mapper from what goes wrong with a provider to a `TurnstepError`.
 */
import { APIConnectionTimeoutError, APIError } from 'openai'
import { isTurnstepError, TurnstepError } from '../core/errors.ts'
import { isContextOverflow } from './is-context-overflow.ts'
import { type ProviderComplaint, readComplaint } from './provider-complaint.ts'
import { quotable } from './quotable.ts'
import { type HeaderReader, retryAfterMs } from './retry-after.ts'

export interface ErrorContext {
  /** Host of the provider, for messages. */
  readonly host: string
  /** Texts of which nothing may appear in a message: what the conversation says, the key. */
  secrets(): readonly string[]
}

/** Codes of a 429 that waiting does not cure. */
const EXHAUSTED: ReadonlySet<string> = new Set([
  'insufficient_quota', // OpenAI
  'billing_hard_limit_reached', // OpenAI
  'billing_not_active', // OpenAI
  'exceeded_current_quota_error', // Moonshot
  '1113', // Z.ai
])

/** Statuses that codes and types of errors within a stream stand for. */
const STATUS_OF_WORD: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  not_found_error: 404,
}

/** Any failure of a request: of the openai client, of the network, of the stream. An error that is mapped stays. */
export function mapProviderError(error: unknown, context: ErrorContext): TurnstepError {
  if (isTurnstepError(error)) return error
  if (error instanceof APIError && error.status !== undefined) {
    const { headers } = error
    return mapComplaint(
      readComplaint(error.error, error.status),
      context,
      (name) => headers?.get(name) ?? null,
    )
  }
  const what =
    error instanceof APIConnectionTimeoutError
      ? 'did not answer in time'
      : 'cannot be reached, or broke the connection'
  const reason = networkCode(error)
  return new TurnstepError(
    'provider-unavailable',
    `The model provider at ${context.host} ${what}${reason === undefined ? '' : ` (${reason})`}. Check the base URL and the network, or try again later.`,
    { cause: error },
  )
}

/** An `{ error }` object that came within a stream whose status was 200. */
export function mapStreamError(chunk: unknown, context: ErrorContext): TurnstepError {
  const complaint = readComplaint(chunk)
  const status =
    complaint.status ?? STATUS_OF_WORD[complaint.code ?? ''] ?? STATUS_OF_WORD[complaint.type ?? ''] ?? 500
  return mapComplaint({ ...complaint, status }, context, () => null)
}

/**
 * The cause is not the client's error, whose message is what the provider said: that may quote the conversation,
 * and causes travel further than ours may.
 */
function mapComplaint(
  complaint: ProviderComplaint,
  context: ErrorContext,
  header: HeaderReader,
): TurnstepError {
  const code = codeOf(complaint)
  const isTransient = code === 'rate-limited' || code === 'provider-unavailable'
  const wait = isTransient ? retryAfterMs(header, complaint.body) : undefined
  const secrets = context.secrets()
  const words = quotable(complaint.message, secrets, 300)
  const facts = factsOf(complaint, header('x-request-id'), secrets)
  const said = words !== undefined && code === 'provider-rejected' ? ` It says: ${words}` : ''
  return new TurnstepError(
    code,
    `The model provider at ${context.host} ${HAPPENED[code]} (${facts}).${said} ${ADVICE[code]}`,
    {
      cause: new Error(words ?? 'The provider said nothing that may be shown.'),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    },
  )
}

function factsOf(complaint: ProviderComplaint, requestId: string | null, secrets: readonly string[]): string {
  const { status, code, type, param } = complaint
  const words = [code, type, param, requestId === null ? undefined : `request ${requestId}`]
  const shown = words.map((word) => (word === undefined ? undefined : quotable(word, secrets, 60)))
  return [`HTTP ${status}`, ...shown].filter((fact) => fact !== undefined).join(', ')
}

function codeOf(complaint: ProviderComplaint): ComplaintCode {
  const { status = 500, code, type } = complaint
  if (EXHAUSTED.has(code ?? '') || EXHAUSTED.has(type ?? '')) return 'provider-auth'
  if (isContextOverflow(complaint)) return 'context-too-long'
  if (status === 429) return 'rate-limited'
  if (status === 401 || status === 402 || status === 403) return 'provider-auth'
  if (status === 408 || status === 409 || status === 425 || status === 499 || status >= 500)
    return 'provider-unavailable'
  return 'provider-rejected'
}

type ComplaintCode =
  | 'rate-limited'
  | 'provider-auth'
  | 'provider-unavailable'
  | 'provider-rejected'
  | 'context-too-long'

const HAPPENED: Readonly<Record<ComplaintCode, string>> = {
  'rate-limited': 'limits how often it may be asked',
  'provider-auth': 'refuses the key or the account',
  'provider-unavailable': 'failed',
  'provider-rejected': 'refused the request',
  'context-too-long': "refused the request: it is longer than the model's context window",
}

const ADVICE: Readonly<Record<ComplaintCode, string>> = {
  'rate-limited': 'The request may be sent again later.',
  'provider-auth': 'Check OPENAI_API_KEY and that the account may use this model and has credit.',
  'provider-unavailable': 'Try again later.',
  'provider-rejected': 'Check the model name, the base URL and the tool definitions.',
  'context-too-long': 'Shorten the conversation or use a model with a larger window.',
}

/** `ECONNREFUSED`, `UND_ERR_SOCKET` and the like, from wherever in the chain of causes it stands. */
function networkCode(error: unknown): string | undefined {
  let current: unknown = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const code: unknown = 'code' in current ? current.code : undefined
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code
    current = current.cause
  }
  return undefined
}
