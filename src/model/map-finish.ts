/**
 * What providers' finish reasons mean.
 */
import type { Finish } from '../core/event.ts'

/** `interrupted`: the server says that it broke off, so that the answer is no answer. */
type FinishMeaning = Finish | 'interrupted'

const MEANINGS: Readonly<Record<string, FinishMeaning>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
  // Words of compatible servers beyond OpenAI's five.
  eos_token: 'stop', // Hugging Face TGI
  stop_sequence: 'stop', // Hugging Face TGI
  end_turn: 'stop', // gateways before Anthropic
  tool_use: 'tool_calls', // gateways before Anthropic
  max_tokens: 'length', // gateways before Anthropic and Google
  model_length: 'length', // Mistral
  safety: 'content_filter', // gateways before Google
  sensitive: 'content_filter', // Z.ai
  refusal: 'refusal', // gateways before Anthropic
  error: 'interrupted', // Mistral, OpenRouter
  insufficient_system_resource: 'interrupted', // DeepSeek
  network_error: 'interrupted', // Z.ai
}

/** Undefined for an absent reason; some servers send an empty one with every chunk. */
export function meaningOf(reason: unknown): FinishMeaning | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined
  return Object.hasOwn(MEANINGS, reason.toLowerCase()) ? MEANINGS[reason.toLowerCase()] : 'unknown'
}

const POSITIVE: ReadonlySet<Finish> = new Set(['stop', 'tool_calls', 'none'])

/** A bad end, once reported, stays: a later `stop` does not make a cut answer whole. */
export function mergeFinish(before: Finish, next: Finish): Finish {
  return POSITIVE.has(before) ? next : before
}
