/**
 * Text, refusal and reasoning of a delta, in the shapes that servers send.
 */
import type { Reasoning } from '../core/message.ts'
import { isRecord, type JsonRecord, nonEmpty } from './json.ts'

/** `reasoning_content`: DeepSeek, Moonshot, Qwen, Z.ai, llama.cpp. `reasoning`: OpenRouter, Groq, Ollama, vLLM. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

/** Content is a string, null, or a list of parts (Mistral's reasoning models send it so). */
export function readContent(content: unknown): { readonly text: string; readonly refusal: string } {
  if (typeof content === 'string') return { text: content, refusal: '' }
  if (!Array.isArray(content)) return { text: '', refusal: '' }
  const parts = (content as readonly unknown[]).filter(isRecord)
  const join = (types: readonly unknown[], field: string): string =>
    parts.map((part) => (types.includes(part['type']) ? (nonEmpty(part[field]) ?? '') : '')).join('')
  return { text: join(['text', 'output_text'], 'text'), refusal: join(['refusal'], 'refusal') }
}

/**
 * The reasoning of a delta and the field it came in. Servers that send the same text in two fields are read by
 * one: the one that came first in this answer.
 */
export function readReasoning(delta: JsonRecord, field: string | undefined): Reasoning | undefined {
  const fields: readonly string[] = field === undefined ? REASONING_FIELDS : [field]
  for (const name of fields) {
    const text = nonEmpty(delta[name])
    if (text !== undefined) return { field: name, text }
  }
  const text = thinkingParts(delta['content'])
  return text === '' || (field !== undefined && field !== 'content') ? undefined : { field: 'content', text }
}

/** Mistral: `content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }]`. */
function thinkingParts(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return (content as readonly unknown[])
    .filter(isRecord)
    .filter((part) => part['type'] === 'thinking')
    .map((part) =>
      typeof part['thinking'] === 'string' ? part['thinking'] : readContent(part['thinking']).text,
    )
    .join('')
}
