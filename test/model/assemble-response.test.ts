import { describe, expect, it } from 'vitest'
import { chunk, eventStream, readPieces, usage } from './support/read-stream.ts'

describe('the finish of an answer', () => {
  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['model_length', 'length'],
    ['content_filter', 'content_filter'],
    ['SAFETY', 'content_filter'],
    ['eos_token', 'stop'],
    ['galaxy_brain', 'unknown'],
    ['constructor', 'unknown'],
    ['', 'none'],
    [null, 'none'],
  ])('B40: %j is %s', async (reason, finish) => {
    const { response } = await readPieces([eventStream(chunk({ content: 'Hi' }), chunk({}, reason))])
    expect(response.finish).toBe(finish)
  })

  it('B40: content_filter with empty content stays content_filter', async () => {
    const { response } = await readPieces([eventStream(chunk({ content: '' }), chunk({}, 'content_filter'))])
    expect(response).toEqual({ text: '', calls: [], finish: 'content_filter', model: 'asked-model' })
  })

  it('B34: length is not made good by a later stop', async () => {
    const { response } = await readPieces([
      eventStream(chunk({ content: 'Hi' }, 'length'), chunk({}, 'stop')),
    ])
    expect(response.finish).toBe('length')
  })

  it('is none when the stream closes without one, with or without [DONE]', async () => {
    const text = `data: ${JSON.stringify(chunk({ content: 'Hi' }))}\n\n`
    expect((await readPieces([text])).response).toMatchObject({ text: 'Hi', finish: 'none' })
    expect((await readPieces([text, 'data: [DONE]\n\n'])).response).toMatchObject({
      text: 'Hi',
      finish: 'none',
    })
  })

  it('is refusal when the model refuses, and the refusal is the text', async () => {
    const { response, deltas } = await readPieces([
      eventStream(chunk({ refusal: 'I ' }), chunk({ refusal: "can't." }), chunk({}, 'stop')),
    ])
    expect(response).toMatchObject({ text: "I can't.", finish: 'refusal' })
    expect(deltas).toEqual([{ text: 'I ' }, { text: "can't." }])
  })

  it.each(['error', 'insufficient_system_resource'])('%s means that the server broke off', async (reason) => {
    await expect(
      readPieces([eventStream(chunk({ content: 'Hi' }), chunk({}, reason))]),
    ).rejects.toMatchObject({
      code: 'provider-unavailable',
    })
  })
})

describe('the text of an answer', () => {
  it.each([
    { what: 'null', content: null, text: '' },
    { what: 'a string', content: 'Hi', text: 'Hi' },
    {
      what: 'a list of parts',
      content: [
        { type: 'text', text: 'H' },
        { type: 'text', text: 'i' },
      ],
      text: 'Hi',
    },
    { what: 'an output part', content: [{ type: 'output_text', text: 'Hi' }], text: 'Hi' },
    { what: 'parts of unknown types', content: [{ type: 'audio', data: 'x' }, 'text', null], text: '' },
    { what: 'a number', content: 7, text: '' },
  ])('is read from content that is $what', async ({ content, text }) => {
    const { response } = await readPieces([eventStream(chunk({ content }), chunk({}, 'stop'))])
    expect(response.text).toBe(text)
  })

  it('B50: keeps a surrogate pair whole that the server cut in two', async () => {
    const stream = [
      'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n',
      'data: {"choices":[{"delta":{"content":"\\ude00b"}}]}\n\n',
    ]
    const { response, deltas } = await readPieces(stream)
    expect(response.text).toBe('a😀b')
    expect(deltas).toEqual([{ text: 'a' }, { text: '😀b' }])
  })

  it('B50: replaces half a pair that stays alone', async () => {
    const { response, deltas } = await readPieces([
      'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n',
    ])
    expect(response.text).toBe('a\uFFFD')
    expect(deltas).toEqual([{ text: 'a' }, { text: '\uFFFD' }])
  })

  it('is only that of the first choice', async () => {
    const { response } = await readPieces([
      eventStream({
        choices: [
          { index: 0, delta: { content: 'one' } },
          { index: 1, delta: { content: 'two' } },
        ],
      }),
    ])
    expect(response.text).toBe('one')
  })
})

describe('reasoning', () => {
  it.each(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])(
    'is kept under the field %s',
    async (field) => {
      const { response, deltas } = await readPieces([
        eventStream(
          chunk({ [field]: 'Let me ' }),
          chunk({ [field]: 'think.' }),
          chunk({ content: 'Hi' }),
          chunk({}, 'stop'),
        ),
      ])
      expect(response.reasoning).toEqual({ field, text: 'Let me think.' })
      expect(deltas).toEqual([{ reasoning: 'Let me ' }, { reasoning: 'think.' }, { text: 'Hi' }])
    },
  )

  it('is not doubled by a server that sends it in two fields', async () => {
    const { response } = await readPieces([
      eventStream(
        chunk({ reasoning: 'a', reasoning_content: 'a' }),
        chunk({ reasoning: 'b', reasoning_content: 'b' }),
        chunk({}, 'stop'),
      ),
    ])
    expect(response.reasoning).toEqual({ field: 'reasoning_content', text: 'ab' })
  })

  it('is read from thinking parts', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'Hi' },
    ]
    const { response } = await readPieces([eventStream(chunk({ content }), chunk({}, 'stop'))])
    expect(response).toMatchObject({ text: 'Hi', reasoning: { field: 'content', text: 'Hm' } })
  })

  it('is absent when the fields are empty', async () => {
    const { response } = await readPieces([
      eventStream(chunk({ reasoning_content: '', content: 'Hi' }), chunk({}, 'stop')),
    ])
    expect(response).not.toHaveProperty('reasoning')
  })
})

describe('usage', () => {
  it.each([
    { what: 'in a chunk of its own', last: [chunk({}, 'stop'), { choices: [], usage: usage(3, 4) }] },
    { what: 'in the last content chunk', last: [{ ...(chunk({}, 'stop') as object), usage: usage(3, 4) }] },
    {
      what: 'in the choice',
      last: [{ choices: [{ delta: {}, finish_reason: 'stop', usage: usage(3, 4) }] }],
    },
    { what: 'under x_groq', last: [{ ...(chunk({}, 'stop') as object), x_groq: { usage: usage(3, 4) } }] },
    {
      what: 'again and again, growing',
      last: [
        { choices: [], usage: usage(3, 1) },
        { choices: [], usage: usage(3, 4) },
      ],
    },
    {
      what: 'followed by null',
      last: [
        { choices: [], usage: usage(3, 4) },
        { choices: [], usage: null },
      ],
    },
  ])('is read $what', async ({ last }) => {
    const { response } = await readPieces([eventStream(chunk({ content: 'Hi' }), ...last)])
    expect(response.usage).toEqual({ inputTokens: 3, outputTokens: 4 })
  })

  it('tells cached and reasoning tokens', async () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 1 },
    }
    const { response } = await readPieces([
      eventStream(chunk({}, 'stop'), { choices: [], usage: { ...(usage(3, 4) as object), ...details } }),
    ])
    expect(response.usage).toEqual({
      inputTokens: 3,
      outputTokens: 4,
      cachedInputTokens: 2,
      reasoningTokens: 1,
    })
  })

  it.each([
    { what: 'when none is sent', chunks: [] },
    { what: 'when it is nothing but zeros', chunks: [{ choices: [], usage: usage(0, 0) }] },
    {
      what: 'when it is no number',
      chunks: [{ choices: [], usage: { prompt_tokens: 'many', completion_tokens: -1 } }],
    },
  ])('B62: is absent $what', async ({ chunks }) => {
    const { response } = await readPieces([
      eventStream(chunk({ content: 'Hi' }), chunk({}, 'stop'), ...chunks),
    ])
    expect(response).not.toHaveProperty('usage')
  })
})
