/**
 * What a model adapter is told about its provider.
 */
import type { ReasoningReplay } from './reasoning-replay.ts'

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
  /** Whether reasoning is sent back. Default: as the provider wants it, `never` where nothing is known. */
  readonly reasoningReplay?: ReasoningReplay
  /** Further fields of every request's body (`temperature`, `max_completion_tokens`, `reasoning_effort`). */
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** How long the answer's headers may take. Default 5 minutes, after which Node.js gives up by itself. */
  readonly timeoutMs?: number
}
