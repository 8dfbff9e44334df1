/**
 * A model behind OpenAI's Chat Completions, or any server that speaks it.
 */
import { textOf } from '../core/message.ts'
import type { Model, ModelRequest, ModelResponse } from '../core/ports.ts'
import { buildChatRequest } from './build-chat-request.ts'
import { type ErrorContext, mapProviderError } from './map-provider-error.ts'
import type { OpenaiChatOptions } from './openai-chat-options.ts'
import { connectProvider, modelName, type ProviderConnection } from './provider-connection.ts'
import { readChatResponse } from './read-chat-response.ts'

export type { OpenaiChatOptions } from './openai-chat-options.ts'

/**
 * A model, connected at its first request. Reading `name` fails with `invalid-config` while neither options nor
 * environment name a model.
 */
export function openaiChat(options: OpenaiChatOptions): Model {
  let connection: ProviderConnection | undefined
  return {
    get name() {
      return modelName(options, 'invalid-config')
    },
    respond: async (request, { signal, onDelta }) => {
      signal.throwIfAborted()
      connection ??= connectProvider(options)
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

async function respond(connection: ProviderConnection, call: Call): Promise<ModelResponse> {
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
