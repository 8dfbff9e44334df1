/**
 * The same loop without Temporal and without a store: the openai client, one tool, messages in memory.
 */
import OpenAI from 'openai'
import { answerParent, settings } from './answer-parent.mjs'
import { LOOKUP_DESCRIPTION, LOOKUP_PARAMETERS, lookup } from './lookup.mjs'

/** @typedef {import('openai').OpenAI.ChatCompletionMessageParam} Message */
/** @typedef {{ id: string, name: string, arguments: string }} Call */

const { modelUrl } = /** @type {{ modelUrl: string }} */ (settings())
const client = new OpenAI({ baseURL: modelUrl, apiKey: 'no-key', maxRetries: 0 })

/** @type {import('openai').OpenAI.ChatCompletionTool[]} */
const tools = [
  {
    type: 'function',
    function: { name: 'lookup', description: LOOKUP_DESCRIPTION, parameters: { ...LOOKUP_PARAMETERS } },
  },
]

/** Asks once, streaming. @param {Message[]} messages */
async function ask(messages) {
  const stream = await client.chat.completions.create({
    model: 'scripted-model',
    messages,
    tools,
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  /** @type {Call[]} */
  const calls = []
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta
    text += delta?.content ?? ''
    for (const piece of delta?.tool_calls ?? []) {
      calls[piece.index] ??= { id: '', name: '', arguments: '' }
      const call = /** @type {Call} */ (calls[piece.index])
      call.id ||= piece.id ?? ''
      call.name ||= piece.function?.name ?? ''
      call.arguments += piece.function?.arguments ?? ''
    }
  }
  return { text, calls }
}

answerParent({
  /** Runs one conversation to its end. @param {string} text */
  async run(text) {
    /** @type {Message[]} */
    const messages = [
      { role: 'system', content: 'Look up what you are asked for.' },
      { role: 'user', content: text },
    ]
    for (;;) {
      const answer = await ask(messages)
      if (answer.calls.length === 0) return
      const tool_calls = answer.calls.map(({ id, name, arguments: args }) => ({
        id,
        type: /** @type {const} */ ('function'),
        function: { name, arguments: args },
      }))
      messages.push({ role: 'assistant', content: answer.text || null, tool_calls })
      const results = await Promise.all(answer.calls.map(({ arguments: args }) => lookup(JSON.parse(args))))
      for (const [index, { id }] of answer.calls.entries())
        messages.push({ role: 'tool', tool_call_id: id, content: results[index] ?? '' })
    }
  },
})
