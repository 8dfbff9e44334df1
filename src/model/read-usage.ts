/**
 * Token counts as providers report them.
 */
import type { Usage } from '../core/usage.ts'
import { count, isRecord, type JsonRecord } from './json.ts'

/**
 * The usage of a chunk, or undefined when it reports none. Looks where servers put it: at the top, in the choice
 * (Moonshot), under `x_groq` (Groq). A report of nothing but zeros is none: no request has an empty prompt.
 */
export function readUsage(chunk: JsonRecord): Usage | undefined {
  const choices = Array.isArray(chunk['choices']) ? (chunk['choices'] as readonly unknown[]) : []
  const places = [chunk, ...choices, chunk['x_groq']]
  for (const place of places) {
    const usage = isRecord(place) ? toUsage(place['usage']) : undefined
    if (usage !== undefined) return usage
  }
  return undefined
}

function toUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined
  const input = count(usage['prompt_tokens']) ?? count(usage['input_tokens'])
  const output = count(usage['completion_tokens']) ?? count(usage['output_tokens'])
  if (input === undefined || output === undefined || input + output === 0) return undefined
  const cached =
    detail(usage['prompt_tokens_details'], 'cached_tokens') ?? count(usage['prompt_cache_hit_tokens'])
  const reasoning = detail(usage['completion_tokens_details'], 'reasoning_tokens')
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}

function detail(details: unknown, field: string): number | undefined {
  return isRecord(details) ? count(details[field]) : undefined
}
