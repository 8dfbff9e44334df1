/**
 * Recognizes that a request was refused because it is longer than the model's window.
 *
 * Most servers have no code of their own for it. This is the one place in the product that matches message text.
 */
import type { ProviderComplaint } from './provider-complaint.ts'

const CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded', // OpenAI, Azure, Groq, Together
  'exceed_context_size_error', // llama.cpp, as the type
  'model_max_prompt_tokens_exceeded', // GitHub
  '1261', // Z.ai
])

const WORDINGS: readonly RegExp[] = [
  /maximum context length/i, // OpenAI, vLLM, SGLang, DeepSeek, OpenRouter, Mistral
  /maximum prompt length/i, // xAI
  /context (?:length|window|size)[^.]{0,60}exceed/i, // MiniMax, gateways
  /exceed[^.]{0,60}context (?:length|window|size|limit)/i, // OpenAI, Anthropic, llama.cpp, Ollama
  /(?:longer|greater) than the (?:model's )?context length/i, // SGLang, Together, LM Studio
  /(?:prompt|input|request|messages?) (?:(?:is|are|was|were) )?too (?:long|large)/i, // Anthropic, Bedrock
  /prompt exceeds max length/i, // Z.ai
  /input length[^.]{0,40}exceeds/i, // Poolside
  /range of input length should be/i, // DashScope
  /token[^.]{0,40}exceed[^.]{0,60}(?:limit|maximum|allowed)/i, // Google, GitHub
  /exceed[^.]{0,20}token limit/i, // Moonshot
  /too many (?:input )?tokens/i, // Cohere, Bedrock
  /tokens \+ `?max_new_tokens`? must be/i, // Hugging Face TGI
  /reduce the length of the (?:messages|prompt|input)/i, // OpenAI, Groq, Cerebras
]

/** Throttling in words that resemble the above, and a limit on the answer that the request itself sets too high. */
const OTHERWISE =
  /please wait|rate limit|per (?:minute|hour|day)|max_(?:completion_)?tokens\W{0,3} (?:is too large|must be)/i

/** 429 of OpenAI: one request over what the account may send a minute never gets through, however long one waits. */
const LARGER_THAN_LIMIT = /request too large/i

export function isContextOverflow(complaint: ProviderComplaint): boolean {
  const { status, code, type, message } = complaint
  if (CODES.has(code ?? '') || CODES.has(type ?? '') || status === 413) return true
  if (status === 429) return LARGER_THAN_LIMIT.test(message)
  if (status === 401 || status === 402 || status === 403 || OTHERWISE.test(message)) return false
  return WORDINGS.some((wording) => wording.test(message))
}
