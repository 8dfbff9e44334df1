/**
 * The one mapper from what goes wrong with a provider to a `TurnstepError`.
 */
import { APIConnectionTimeoutError, APIError } from 'openai'
import { type ErrorCode, isTurnstepError, TurnstepError } from '../core/errors.ts'
import { isContextOverflow } from './is-context-overflow.ts'
import { type ProviderComplaint, readComplaint } from './provider-complaint.ts'
import { quotable } from './quotable.ts'
import { type HeaderReader, retryAfterMs } from './retry-after.ts'

export interface ErrorContext {
  /** Host of the provider, for messages. */
  readonly host: string
  /** Texts of which nothing may appear in a message: the request's body, the key. */
  readonly secrets: readonly string[]
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
    const headers = error.headers
    return mapComplaint(
      readComplaint(error.error, error.status),
      context,
      (name) => headers?.get(name) ?? null,
      error,
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
  return mapComplaint({ ...complaint, status }, context, () => null, undefined)
}

function mapComplaint(
  complaint: ProviderComplaint,
  context: ErrorContext,
  header: HeaderReader,
  cause: unknown,
): TurnstepError {
  const code = codeOf(complaint)
  const wait =
    code === 'rate-limited' || code === 'provider-unavailable'
      ? retryAfterMs(header, complaint.body)
      : undefined
  return new TurnstepError(code, messageOf(code, complaint, context), {
    ...(cause === undefined ? {} : { cause }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  })
}

function codeOf(complaint: ProviderComplaint): ErrorCode {
  const { status = 500, code, type } = complaint
  if (EXHAUSTED.has(code ?? '') || EXHAUSTED.has(type ?? '')) return 'provider-auth'
  if (isContextOverflow(complaint)) return 'context-too-long'
  if (status === 429) return 'rate-limited'
  if (status === 401 || status === 402 || status === 403) return 'provider-auth'
  if (status === 408 || status === 409 || status === 425 || status === 499 || status >= 500)
    return 'provider-unavailable'
  return 'provider-rejected'
}

const ADVICE: Partial<Readonly<Record<ErrorCode, string>>> = {
  'rate-limited': 'The request may be sent again later.',
  'provider-auth': 'Check OPENAI_API_KEY and that the account may use this model and has credit.',
  'provider-unavailable': 'Try again later.',
  'provider-rejected': 'Check the model name, the base URL and the tool definitions.',
  'context-too-long': 'Shorten the conversation or use a model with a larger window.',
}

const HAPPENED: Partial<Readonly<Record<ErrorCode, string>>> = {
  'rate-limited': 'limits how often it may be asked',
  'provider-auth': 'refuses the key or the account',
  'provider-unavailable': 'failed',
  'provider-rejected': 'refused the request',
  'context-too-long': "refused the request: it is longer than the model's context window",
}

function messageOf(code: ErrorCode, complaint: ProviderComplaint, context: ErrorContext): string {
  const { status, code: word, type, param, message } = complaint
  const facts = [
    status === undefined ? undefined : `HTTP ${status}`,
    ...[word, type, param].map((fact) =>
      fact === undefined ? undefined : quotable(fact, context.secrets, 60),
    ),
  ]
  const words = code === 'provider-rejected' ? quotable(message, context.secrets, 300) : undefined
  return [
    `The model provider at ${context.host} ${HAPPENED[code] ?? 'failed'} (${facts.filter((fact) => fact !== undefined).join(', ')}).`,
    words === undefined ? undefined : `It says: ${words}`,
    ADVICE[code],
  ]
    .filter((part) => part !== undefined)
    .join(' ')
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
