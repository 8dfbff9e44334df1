/**
 * A model behind OpenAI's Chat Completions, or any server that speaks it.
 */
import OpenAI, { type APIError, APIError as ApiError } from 'openai'
import { TurnstepError } from '../core/errors.ts'
import { textOf } from '../core/message.ts'
import type { Model, ModelRequest, ModelResponse } from '../core/ports.ts'
import { buildChatRequest } from './build-chat-request.ts'
import { type Dialect, dialectOf } from './dialect.ts'
import { type ErrorContext, mapProviderError } from './map-provider-error.ts'
import { readChatResponse } from './read-chat-response.ts'
import type { ReasoningReplay } from './reasoning-replay.ts'

const OPENAI_URL = 'https://api.openai.com/v1'
/** Sent where a compatible server wants no key: the client insists on one. */
const NO_KEY = 'no-key'
const HEADERS_TIMEOUT_MS = 300_000

/** What the environment says, read at the first request. */
export interface ModelEnvironment {
  readonly openaiApiKey?: string | undefined
  readonly openaiBaseUrl?: string | undefined
  readonly turnstepModel?: string | undefined
}

export interface OpenaiChatOptions {
  /** Default: the environment's `turnstepModel`. */
  readonly model?: string | undefined
  /** Default: the environment's, else OpenAI's. */
  readonly baseUrl?: string | undefined
  /** Default: the environment's. A base URL other than OpenAI's needs none. */
  readonly apiKey?: string | undefined
  readonly environment?: ModelEnvironment
  /** Whether reasoning is sent back. Default: by provider, see `defaultReasoningReplay`. */
  readonly reasoningReplay?: ReasoningReplay
  /** Further fields of every request's body (`temperature`, `max_completion_tokens`, `reasoning_effort`). */
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** How long the answer's headers may take. Default 5 minutes, after which Node.js gives up by itself. */
  readonly timeoutMs?: number
}

/** A connection to one provider, with all that its requests have in common. */
interface Connection {
  readonly client: OpenAI
  readonly model: string
  readonly apiKey: string
  readonly host: string
  readonly dialect: Dialect
}

/**
 * `respond` fails with `invalid-config` where the model's name or the key is missing, and else as the port says.
 * `name` fails with `invalid-config` while there is no name.
 */
export function openaiChat(options: OpenaiChatOptions): Model {
  let connection: Connection | undefined
  return {
    get name() {
      return modelName(options)
    },
    respond: async (request, { signal, onDelta }) => {
      signal.throwIfAborted()
      connection ??= connect(options)
      return respond(connection, { request, signal, onDelta, body: options.body })
    },
  }
}

interface Call {
  readonly request: ModelRequest
  readonly signal: AbortSignal
  readonly onDelta: Parameters<Model['respond']>[1]['onDelta']
  readonly body: Readonly<Record<string, unknown>> | undefined
}

async function respond(connection: Connection, call: Call): Promise<ModelResponse> {
  const { client, model, host, apiKey, dialect } = connection
  const body = buildChatRequest(call.request, { model, dialect, body: call.body })
  const context: ErrorContext = { host, secrets: () => [apiKey, ...textsOf(call.request)] }
  // A signal of its own for each request: the client leaves listeners behind on the one it is given.
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  call.signal.addEventListener('abort', abort, { once: true })
  try {
    const response = await client
      .post('/chat/completions', {
        body,
        headers: { 'content-type': 'application/json' },
        signal: controller.signal,
        stream: true,
      })
      .asResponse()
      .catch((error: unknown) => {
        throw mapProviderError(error, context)
      })
    return await readChatResponse(response, {
      model,
      knownTools: new Set(call.request.tools.map((tool) => tool.name)),
      onDelta: call.onDelta,
      context,
    })
  } catch (error) {
    call.signal.throwIfAborted()
    throw error
  } finally {
    call.signal.removeEventListener('abort', abort)
  }
}

/** Everything that the conversation says. */
function textsOf({ instructions, messages }: ModelRequest): readonly string[] {
  const texts = messages.flatMap((message) => {
    if (message.role === 'user') return [textOf(message.content)]
    if (message.role === 'tool') return [message.content]
    return [message.text, message.reasoning?.text ?? '', ...message.calls.map((call) => call.arguments)]
  })
  return [instructions, ...texts]
}

function modelName({ model, environment }: OpenaiChatOptions): string {
  const name = model || environment?.turnstepModel
  if (name) return name
  throw new TurnstepError(
    'invalid-config',
    'No model is named. Set TURNSTEP_MODEL, or pass openaiChat({ model }).',
  )
}

function connect(options: OpenaiChatOptions): Connection {
  const { environment = {} } = options
  const model = modelName(options)
  const baseUrl = (options.baseUrl || environment.openaiBaseUrl || OPENAI_URL).replace(/\/+$/, '')
  const url = parseUrl(baseUrl)
  const apiKey = options.apiKey || environment.openaiApiKey || (baseUrl === OPENAI_URL ? undefined : NO_KEY)
  if (apiKey === undefined) {
    throw new TurnstepError(
      'invalid-config',
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

function parseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new TurnstepError(
    'invalid-config',
    `The base URL of the model provider is not an http address. Set OPENAI_BASE_URL to one like ${OPENAI_URL}.`,
  )
}

/** The client, keeping bodies of errors that are not in OpenAI's shape. */
class ChatClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    error: object,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return new ApiError(status, error ?? message, undefined, headers)
  }
}
