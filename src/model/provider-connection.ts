/**
 * A connection to one provider: its address, key, model and dialect, with the client that speaks to it.
 */
import OpenAI, { APIError } from 'openai'
import { type ErrorCode, TurnstepError } from '../core/errors.ts'
import { type Dialect, dialectOf } from './dialect.ts'
import type { OpenaiChatOptions } from './openai-chat-options.ts'

const OPENAI_URL = 'https://api.openai.com/v1'
/** Sent where a compatible server wants no key: the client insists on one. */
const NO_KEY = 'no-key'
const HEADERS_TIMEOUT_MS = 300_000

export interface ProviderConnection {
  readonly client: OpenAI
  readonly model: string
  readonly apiKey: string
  /** With the port, for messages. */
  readonly host: string
  readonly dialect: Dialect
}

/**
 * Connects by options and environment, without a request. Fails with `provider-auth` without a key where one is
 * needed, with `provider-rejected` without a model or with an address that is none.
 */
export function connectProvider(options: OpenaiChatOptions): ProviderConnection {
  const { environment = {} } = options
  const model = modelName(options, 'provider-rejected')
  const baseUrl = (options.baseUrl || environment.openaiBaseUrl || OPENAI_URL).replace(/\/+$/, '')
  const url = parseUrl(baseUrl)
  const apiKey = options.apiKey || environment.openaiApiKey || (baseUrl === OPENAI_URL ? undefined : NO_KEY)
  if (apiKey === undefined) {
    throw new TurnstepError(
      'provider-auth',
      `There is no key for ${url.host}. Set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none.`,
    )
  }
  const client = new ChatClient({
    baseURL: baseUrl,
    apiKey,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    timeout: options.timeoutMs ?? HEADERS_TIMEOUT_MS,
    defaultHeaders: { 'user-agent': 'turnstep', ...options.headers },
  })
  const dialect = dialectOf(url.hostname, model)
  const { reasoningReplay = dialect.reasoningReplay } = options
  return { client, model, apiKey, host: url.host, dialect: { ...dialect, reasoningReplay } }
}

/** The name by options and environment; fails with the given code when there is none. */
export function modelName({ model, environment }: OpenaiChatOptions, code: ErrorCode): string {
  const name = model || environment?.turnstepModel
  if (name) return name
  throw new TurnstepError(code, 'No model is named. Set TURNSTEP_MODEL, or pass openaiChat({ model }).')
}

function parseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new TurnstepError(
    'provider-rejected',
    `The base URL of the model provider is not an http address. Set OPENAI_BASE_URL to one like ${OPENAI_URL}.`,
  )
}

/** The client, keeping bodies of errors that are not in OpenAI's shape. */
class ChatClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    error: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return new APIError(status, error ?? message, undefined, headers)
  }
}
