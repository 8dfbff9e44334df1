import { environment } from './config.ts'
import type { Model } from './core/ports.ts'
import { openaiChat as chat, type OpenaiChatOptions } from './model/openai-chat.ts'

/**
 * A model behind an OpenAI-compatible Chat Completions API. URL, key and name that are not given come from
 * `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `TURNSTEP_MODEL`, read when it is called.
 */
export function openaiChat(options: Omit<OpenaiChatOptions, 'environment'> = {}): Model {
  const { openai } = environment()
  return chat({
    ...options,
    environment: { openaiApiKey: openai.apiKey, openaiBaseUrl: openai.baseUrl, turnstepModel: openai.model },
  })
}
