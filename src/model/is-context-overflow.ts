/**
 * Recognizes that a request was refused because it is longer than the model's window.
 *
 * Most servers have no code of their own for it. This is the one place in the product that matches message text.
 */
import type { ProviderComplaint } from './provider-complaint.ts'

const CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded', // OpenAI, Azure, Groq, Together
  'context_window_exceeded',
  'exceed_context_size_error', // llama.cpp, as type
  'model_max_prompt_tokens_exceeded', // GitHub Models
  'string_above_max_length', // OpenAI: a message of more than 10 MB or so
])

const WORDINGS: readonly RegExp[] = [
  /maximum context length/i, // OpenAI, vLLM, SGLang, DeepSeek, OpenRouter
  /context (?:length|window|size)[^.]{0,60}exceed/i, // LM Studio, Ollama, gateways
  /exceeds?[^.]{0,60}context (?:length|window|size|limit)/i, // llama.cpp, xAI, Copilot
  /(?:prompt|input|request|messages?) (?:is|are|was|were) too (?:long|large)/i, // Anthropic, Bedrock, Mistral
  /too many (?:input )?tokens/i, // Bedrock, Cohere
  /(?:input|prompt)[^.]{0,40}token[^.]{0,40}exceed/i, // Google, Qwen, Together
  /token[^.]{0,40}exceed[^.]{0,60}(?:limit|maximum|allowed)/i, // Google, Moonshot, Z.ai
  /longer than the model's context/i, // SGLang
  /range of input length should be/i, // DashScope
  /reduce the length of the (?:messages|prompt|input)/i, // OpenAI, Groq, Cerebras
]

/** 429 of OpenAI and 413 of Groq: one request over what the account may send a minute never gets through. */
const LARGER_THAN_LIMIT = /request too large/i

export function isContextOverflow(complaint: ProviderComplaint): boolean {
  const { status, code, type, message } = complaint
  if (CODES.has(code ?? '') || CODES.has(type ?? '')) return true
  if (status === 413) return true
  if (status === 429) return LARGER_THAN_LIMIT.test(message)
  if (status === 401 || status === 402 || status === 403) return false
  return WORDINGS.some((wording) => wording.test(message))
}
