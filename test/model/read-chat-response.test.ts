import { describe, expect, it } from 'vitest'
import { readChatResponse } from '../../src/model/read-chat-response.ts'
import { call, chunk, eventStream, readPieces, usage } from './support/read-stream.ts'

/** What undici throws when the other side closes the connection. */
const TERMINATED = new TypeError('terminated', {
  cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
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
