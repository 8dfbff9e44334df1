/**
 * Bodies of the Responses interface.
 */
import { z } from 'zod'
import { TurnstepError } from '../../../core/errors.ts'
import type { ContentPart } from '../../../core/message.ts'
import type { CallerMessage } from './new-messages.ts'

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.string().nullish(),
  file_url: z.string().nullish(),
  file_data: z.string().nullish(),
  filename: z.string().nullish(),
})

const Item = z.looseObject({
  type: z.string().optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
  content: z.union([z.string(), z.array(Part)]).optional(),
})

export const ResponseBody = z.looseObject({
  /** The agent. */
  model: z.string(),
  input: z.union([z.string(), z.array(Item).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})

/** As for Chat Completions; and what is said is always kept. */
export const REFUSED_IN_RESPONSES: Readonly<Record<string, (value: unknown) => boolean>> = {
  tools: (value) => Array.isArray(value) && value.length > 0,
  tool_choice: (value) => value !== 'auto' && value !== 'none',
  store: (value) => value === false,
  conversation: () => true,
  prompt: () => true,
  text: (value) => JSON.stringify(value).includes('json_'),
}

export function messagesOf({ input, instructions }: z.infer<typeof ResponseBody>): readonly CallerMessage[] {
  const said =
    typeof input === 'string'
      ? [{ role: 'user' as const, content: [{ type: 'text' as const, text: input }] }]
      : input.flatMap(messageOf)
  if (instructions === undefined || instructions === null) return said
  const last = said.findLastIndex(({ role }) => role === 'assistant')
  const given: CallerMessage = { role: 'system', content: [{ type: 'text', text: instructions }] }
  return [...said.slice(0, last + 1), given, ...said.slice(last + 1)]
}

function messageOf({ type = 'message', role, content = '' }: z.infer<typeof Item>): readonly CallerMessage[] {
  // What an answer had beside its text comes back with it, and is known.
  if (type === 'reasoning') return []
  if (type !== 'message' || role === undefined)
    throw new TurnstepError('invalid-input', `An item of the type ${type} is not supported.`)
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content.map(partOf)
  return [{ role: role === 'developer' ? 'system' : role, content: parts }]
}

function partOf({ type, text, image_url, file_url, file_data, filename }: z.infer<typeof Part>): ContentPart {
  if (type === 'input_text' || type === 'output_text') return { type: 'text', text: text ?? '' }
  if (type === 'input_image' && typeof image_url === 'string') return { type: 'image', ref: image_url }
  const ref = file_url ?? file_data
  if (type === 'input_file' && typeof ref === 'string')
    return { type: 'file', ref, ...(typeof filename === 'string' ? { name: filename } : {}) }
  throw new TurnstepError('invalid-input', `A part of the type ${type} is not supported.`)
}
