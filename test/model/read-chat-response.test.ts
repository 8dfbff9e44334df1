import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChatResponse } from '../../src/model/read-chat-response.ts'
import { call, calls, chunk, eventStream, readPieces } from './support/read-stream.ts'

const encoder = new TextEncoder()

/** What undici throws when the other side closes the connection. */
const TERMINATED = new TypeError('terminated', {
  cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
})

const usage = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

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
      eventStream(chunk({}, 'stop'), { choices: [], usage: { ...usage(3, 4), ...details } }),
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

describe('the body of an answer', () => {
  const HELLO = [
    chunk({ content: 'Hé' }),
    chunk({ content: 'llo 😀' }),
    chunk({}, 'stop'),
    { choices: [], usage: usage(1, 2) },
  ]
  const HELLO_RESPONSE = {
    text: 'Héllo 😀',
    calls: [],
    finish: 'stop',
    usage: { inputTokens: 1, outputTokens: 2 },
    model: 'asked-model',
  }
  const lines = HELLO.map((item) => `data: ${JSON.stringify(item)}`)

  it.each([
    { what: 'with CRLF', body: `${lines.join('\r\n\r\n')}\r\n\r\ndata: [DONE]\r\n\r\n` },
    { what: 'with CR', body: `${lines.join('\r\r')}\r\rdata: [DONE]\r\r` },
    {
      what: 'with comments that keep the connection alive',
      body: `: PROCESSING\n\n${lines.join('\n\n: ping\n\n')}\n\ndata: [DONE]\n\n`,
    },
    {
      what: 'with event names and ids',
      body: lines.map((line, id) => `event: message\nid: ${id}\nretry: 1\n${line}\n\n`).join(''),
    },
    {
      what: 'without a space after the colon',
      body: lines.map((line) => `${line.replace('data: ', 'data:')}\n\n`).join(''),
    },
    { what: 'without [DONE]', body: `${lines.join('\n\n')}\n\n` },
    { what: 'without an end of the last line', body: lines.join('\n\n') },
    { what: 'with a byte order mark', body: `\uFEFF${lines.join('\n\n')}\n\n` },
    {
      what: 'with data over several lines',
      body: `${lines.join('\n\n').replaceAll(',"', ',\ndata: "')}\n\n`,
    },
    {
      what: 'with chunks that have no choices',
      body: `data: {"choices":[],"prompt_filter_results":[]}\n\n${lines.join('\n\n')}\n\n`,
    },
    {
      what: 'with objects of the server among the chunks',
      body: `data: {"type":"ping"}\n\n${lines.join('\n\n')}\n\n`,
    },
    { what: 'with empty data', body: `data:\n\n${lines.join('\n\n')}\n\n` },
    {
      what: 'with error: null in every chunk',
      body: `${lines.map((line) => line.replace('{"choices"', '{"error":null,"choices"')).join('\n\n')}\n\n`,
    },
  ])('is read $what', async ({ body }) => {
    expect((await readPieces([body])).response).toEqual(HELLO_RESPONSE)
  })

  it('is read from one JSON document, as a server sends that does not stream', async () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      reasoning_content: 'Hm',
      tool_calls: [call({ id: 'a', name: 'add', args: '{}' })],
    }
    const document = {
      model: 'answering-model',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: usage(5, 6),
    }
    const { response, deltas } = await readPieces([`\n${JSON.stringify(document, null, 2)}`])
    expect(response).toEqual({
      text: 'Hi',
      reasoning: { field: 'reasoning_content', text: 'Hm' },
      calls: [{ tool: 'add', argumentsText: '{}', isWhole: true }],
      finish: 'tool_calls',
      usage: { inputTokens: 5, outputTokens: 6 },
      model: 'answering-model',
    })
    expect(deltas).toEqual([{ reasoning: 'Hm' }, { text: 'Hi' }, { toolCall: 'add' }])
  })

  it('is not read past [DONE]', async () => {
    const { response } = await readPieces([
      eventStream(chunk({ content: 'Hi' }, 'stop')),
      'data: {"broken\n\n',
    ])
    expect(response.text).toBe('Hi')
  })

  it('is whole when the connection breaks after the finish', async () => {
    const { response } = await readPieces([`data: ${JSON.stringify(chunk({ content: 'Hi' }, 'stop'))}\n\n`], {
      error: TERMINATED,
    })
    expect(response).toMatchObject({ text: 'Hi', finish: 'stop' })
  })

  it('is whole when the connection breaks in the chunk after the finish', async () => {
    const pieces = [`data: ${JSON.stringify(chunk({ content: 'Hi' }, 'stop'))}\n\n`, 'data: {"usage":{"pro']
    expect((await readPieces(pieces, { error: TERMINATED })).response).toMatchObject({
      text: 'Hi',
      finish: 'stop',
    })
    expect((await readPieces(pieces)).response).toMatchObject({ text: 'Hi', finish: 'stop' })
  })

  it.each([
    {
      what: 'a chunk is not JSON',
      pieces: ['data: {"choices": [{\n\n'],
      error: undefined,
      code: 'provider-protocol',
    },
    { what: 'a chunk is no object', pieces: ['data: 7\n\n'], error: undefined, code: 'provider-protocol' },
    {
      what: 'choices is no list',
      pieces: ['data: {"choices":{}}\n\n'],
      error: undefined,
      code: 'provider-protocol',
    },
    { what: 'it is empty', pieces: [''], error: undefined, code: 'provider-protocol' },
    {
      what: 'it is nothing but [DONE]',
      pieces: ['data: [DONE]\n\n'],
      error: undefined,
      code: 'provider-protocol',
    },
    {
      what: 'it is a web page',
      pieces: ['<!doctype html><p>Sign in'],
      error: undefined,
      code: 'provider-protocol',
    },
    {
      what: 'it is JSON of another protocol',
      pieces: ['{"status":"ok"}'],
      error: undefined,
      code: 'provider-protocol',
    },
    {
      what: 'it is the stream of another protocol',
      pieces: ['event: message_start\ndata: {"type":"message_start"}\n\n'],
      error: undefined,
      code: 'provider-protocol',
    },
    {
      what: 'the connection breaks in the text',
      pieces: [`data: ${JSON.stringify(chunk({ content: 'Hi' }))}\n\n`],
      error: TERMINATED,
      code: 'provider-unavailable',
    },
    {
      what: 'it ends in the middle of a chunk',
      pieces: [`data: ${JSON.stringify(chunk({ content: 'Hi' }))}\n\n`, 'data: {"choi'],
      error: undefined,
      code: 'provider-unavailable',
    },
  ])('fails with $code when $what', async ({ pieces, error, code }) => {
    await expect(readPieces(pieces, error === undefined ? {} : { error })).rejects.toMatchObject({
      name: 'TurnstepError',
      code,
    })
  })

  it('names what broke the connection', async () => {
    await expect(readPieces([': \n'], { error: TERMINATED })).rejects.toThrow(
      /provider\.test .*UND_ERR_SOCKET/,
    )
  })

  it('lets a bug of the listener through as it is', async () => {
    const bug = new Error('a bug')
    const answer = readChatResponse(new Response(eventStream(chunk({ content: 'Hi' }))), {
      model: 'm',
      knownTools: new Set(),
      onDelta: () => {
        throw bug
      },
      context: { host: 'provider.test', secrets: () => [] },
    })
    await expect(answer).rejects.toBe(bug)
  })
})

describe('an error within the stream', () => {
  it.each([
    [{ message: 'Overloaded', type: 'overloaded_error' }, 'provider-unavailable'],
    [{ message: 'Slow down', code: 'rate_limit_exceeded' }, 'rate-limited'],
    [{ message: 'Slow down', code: 429 }, 'rate-limited'],
    [{ message: 'Bad gateway', code: 502 }, 'provider-unavailable'],
    [{ message: 'No money', code: 'insufficient_quota' }, 'provider-auth'],
    [{ message: 'Wrong', type: 'invalid_request_error' }, 'provider-rejected'],
    [{ message: 'Long', code: 'context_length_exceeded' }, 'context-too-long'],
    ['something', 'provider-unavailable'],
  ])('%j is %s', async (error, code) => {
    const stream = eventStream(chunk({ content: 'Hi' }), { error })
    await expect(readPieces([stream])).rejects.toMatchObject({ code })
  })

  it('is seen in a document, in an event of that name, and in the shape of vLLM', async () => {
    await expect(
      readPieces(['{"error":{"message":"x","code":"rate_limit_exceeded"}}']),
    ).rejects.toMatchObject({ code: 'rate-limited' })
    await expect(readPieces(['event: error\ndata: {"message":"x"}\n\n'])).rejects.toMatchObject({
      code: 'provider-unavailable',
    })
    await expect(readPieces(['event: error\ndata: out of memory\n\n'])).rejects.toMatchObject({
      code: 'provider-unavailable',
    })
    await expect(readPieces(['{"object":"error","message":"x","code":400}'])).rejects.toMatchObject({
      code: 'provider-rejected',
    })
  })
})

describe('any cutting of the same stream', () => {
  const delta = fc.oneof(
    fc.record({ content: fc.string({ unit: 'binary', maxLength: 12 }) }),
    fc.record({ reasoning_content: fc.string({ unit: 'grapheme', maxLength: 12 }) }),
    fc
      .record({ index: fc.nat(2), text: fc.string({ maxLength: 8 }) })
      .map(({ index, text }) =>
        calls(call({ index, id: `id${index}`, name: `tool${index}`, args: JSON.stringify({ text }) })),
      ),
  )
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

  it('assembles to the same response, which the deltas add up to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(delta, { maxLength: 8 }),
        lineEnd,
        fc.array(fc.nat(400), { maxLength: 12 }),
        async (deltas, end, cuts) => {
          const stream = eventStream(...deltas.map((item) => chunk(item)), chunk({}, 'stop'), {
            choices: [],
            usage: usage(1, 1),
          })
          const bytes = encoder.encode(stream.replaceAll('\n', end))
          const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
          const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
          const whole = await readPieces([bytes])
          const cut = await readPieces(pieces)
          expect(cut.response).toEqual(whole.response)
          expect(cut.deltas.map(({ text = '' }) => text).join('')).toBe(cut.response.text)
          expect(cut.deltas.map(({ reasoning = '' }) => reasoning).join('')).toBe(
            cut.response.reasoning?.text ?? '',
          )
          expect(cut.response.text.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('loses no argument text, whatever the fragments and what the server says of them', async () => {
    const fragment = fc.record({
      index: fc.option(fc.nat(2), { nil: undefined }),
      id: fc.option(fc.constantFrom('a', 'b', ''), { nil: undefined }),
      name: fc.option(fc.constantFrom('add', 'mul', 'ad'), { nil: undefined }),
      args: fc.constantFrom('', '{', '}', '{}', '"', '\\', '{"x":1}', 'x', ' '),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { minLength: 1, maxLength: 10 }), async (fragments) => {
        const stream = eventStream(
          ...fragments.map(({ index, id, name, args }) =>
            chunk(
              calls(
                call({
                  args,
                  ...(index === undefined ? {} : { index }),
                  ...(id === undefined ? {} : { id }),
                  ...(name === undefined ? {} : { name }),
                }),
              ),
            ),
          ),
        )
        const { response } = await readPieces([stream])
        const sent = fragments.map(({ args }) => args).join('')
        const letters = (text: string) => [...text.replaceAll(' ', '')].sort().join('')
        expect(letters(response.calls.map((found) => found.argumentsText).join(''))).toBe(letters(sent))
      }),
      { numRuns: 100 },
    )
  })
})
