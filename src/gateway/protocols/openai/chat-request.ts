/**
 * Bodies of Chat Completions.
 */
import { z } from 'zod'
import { TurnstepError } from '../../../core/errors.ts'
import type { ContentPart } from '../../../core/message.ts'
import type { CallerMessage } from './new-messages.ts'

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
  file: z.looseObject({ file_data: z.string().optional(), filename: z.string().optional() }).optional(),
})

const Message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(Part), z.null()]).optional(),
})

export const ChatCompletionBody = z.looseObject({
  /** The agent. */
  model: z.string(),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})

/**
 * Fields that would change what an agent does, and cannot. Those of sampling (`temperature`, say) are left to the
 * agent without a word, as they promise nothing.
 */
const REFUSED: Readonly<Record<string, (value: unknown) => boolean>> = {
  tools: (value) => Array.isArray(value) && value.length > 0,
  functions: (value) => Array.isArray(value) && value.length > 0,
  tool_choice: (value) => value !== 'auto' && value !== 'none',
  response_format: (value) => typeOf(value) !== 'text',
  n: (value) => value !== 1,
  audio: () => true,
  logprobs: (value) => value === true,
}

/** Fails with `unsupported-parameter` for a field that asks for what no agent can do. */
export function checkSupported(
  body: Readonly<Record<string, unknown>>,
  refused: Readonly<Record<string, (value: unknown) => boolean>> = REFUSED,
): void {
  for (const [field, isRefused] of Object.entries(refused)) {
    const value = body[field]
    if (value === undefined || value === null || !isRefused(value)) continue
    throw new UnsupportedParameter(field)
  }
}

class UnsupportedParameter extends TurnstepError {
  readonly param: string

  constructor(param: string) {
    super('invalid-input', `${param} is not supported here: an agent has its own tools and settings.`)
    this.param = param
  }
}

/** The field that a request was refused for; null when it was for something else. */
export function unsupportedField(error: unknown): string | null {
  return error instanceof UnsupportedParameter ? error.param : null
}

export function messagesOf({ messages }: z.infer<typeof ChatCompletionBody>): readonly CallerMessage[] {
  return messages.map(({ role, content }) => ({
    role: role === 'developer' ? 'system' : role === 'function' ? 'tool' : role,
    content:
      typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []).flatMap(partOf),
  }))
}

function partOf({ type, text, refusal, image_url, file }: z.infer<typeof Part>): readonly ContentPart[] {
  if (type === 'text' || type === 'refusal') return [{ type: 'text', text: text ?? refusal ?? '' }]
  if (type === 'image_url' && image_url !== undefined) return [{ type: 'image', ref: image_url.url }]
  if (type === 'file' && file?.file_data !== undefined) {
    const name = file.filename === undefined ? {} : { name: file.filename }
    return [{ type: 'file', ref: file.file_data, ...name }]
  }
  throw new TurnstepError('invalid-input', `A part of the type ${type} is not supported.`)
}

function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
}
