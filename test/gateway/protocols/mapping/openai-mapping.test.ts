import fc from 'fast-check'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { StreamItem } from '../../../../src/client/follow-events.ts'
import { completionOf } from '../../../../src/gateway/protocols/openai/chat-completion.ts'
import { ChatCompletionStream } from '../../../../src/gateway/protocols/openai/chat-completion-stream.ts'
import { responseOf } from '../../../../src/gateway/protocols/openai/response-object.ts'
import { ResponseStream } from '../../../../src/gateway/protocols/openai/response-stream.ts'
import { SpokenTurn } from '../../../../src/gateway/protocols/openai/spoken-turn.ts'
import { HAND_BACK_TEXT, RECORDED, type Recorded } from './recorded-items.ts'

const CHOICE = { inputId: 'u1' }
const COMPLETION = { id: 'chatcmpl-1', session: 's1', model: 'default' }
const RESPONSE = { id: 'resp_1', session: 's1', model: 'default', askedAt: '2025-01-01T00:00:00.000Z' }

/** The official client, which is given this body. */
function clientOf(body: string): OpenAI {
  const response = () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  return new OpenAI({
    apiKey: 'none',
    baseURL: 'http://agent.test',
    maxRetries: 0,
    fetch: () => Promise.resolve(response()),
  })
}

function chunksOf(items: readonly StreamItem[], includeUsage = true) {
  const stream = new ChatCompletionStream(COMPLETION, CHOICE, { includeUsage })
  return items.flatMap((item) => stream.read(item))
}

/** Content, finish reason and usage, as the official client reads them. */
async function completed(chunks: readonly object[]) {
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`)
  const stream = await clientOf(body.join('')).chat.completions.create({
    model: 'default',
    messages: [],
    stream: true,
  })
  let content = ''
  let finish: string | undefined
  let tokens: number | undefined
  for await (const chunk of stream) {
    content += chunk.choices[0]?.delta.content ?? ''
    finish ??= chunk.choices[0]?.finish_reason ?? undefined
    tokens = chunk.usage?.total_tokens ?? tokens
  }
  return { content, finish, tokens }
}

function gathered(items: readonly StreamItem[]): SpokenTurn {
  const turn = new SpokenTurn(CHOICE)
  for (const item of items) turn.read(item)
  return turn
}

function eventsOf(items: readonly StreamItem[]) {
  const stream = new ResponseStream(RESPONSE, CHOICE)
  return [...stream.start(), ...items.flatMap((item) => stream.read(item))]
}

/** The last event of a response, as the official client reads it, and the response that the client put together. */
async function responded(events: readonly { readonly type: string }[]) {
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const stream = clientOf(body).responses.stream({ model: 'default', input: '' })
  let last = ''
  stream.on('event', ({ type }) => {
    last = type
  })
  return { response: await stream.finalResponse(), last }
}

const TABLE: readonly [Recorded, string, string, string][] = [
  ['LIVE', 'It is four.', 'stop', 'completed'],
  ['AFTERWARDS', 'It is four.', 'stop', 'completed'],
  ['JOINED', 'It is four.', 'stop', 'completed'],
  ['ABORTED', `It is \n\n${HAND_BACK_TEXT}`, 'stop', 'cancelled'],
  [
    'BLOCKED',
    '[This turn ended before it was finished.]\nDone: nothing yet.\nWhy: The guardrail guard does not allow your message: Not this.\nNext: Ask for something else.',
    'content_filter',
    'incomplete',
  ],
  ['APPROVED', 'I will send it.\n\nSent.', 'stop', 'completed'],
  ['DENIED', 'I will send it.\n\nI did not send it.', 'stop', 'completed'],
  ['HELD', 'It is four.', 'stop', 'completed'],
  ['HANDED_BACK', HAND_BACK_TEXT, 'length', 'incomplete'],
  ['STEERED', 'Quatre.', 'stop', 'completed'],
]

describe('a Chat Completion', () => {
  it.each(TABLE)('streams %s', async (name, content, finish) => {
    const tokens = name === 'BLOCKED' ? 0 : 45
    expect(await completed(chunksOf(RECORDED[name]))).toEqual({ content, finish, tokens })
  })

  it.each(TABLE)('is whole of %s', (name, content, finish) => {
    const turn = gathered(RECORDED[name])
    if (turn.end === undefined) throw new Error('not over')
    const { choices } = completionOf(COMPLETION, turn, turn.end)
    expect([choices[0]?.message.content, choices[0]?.finish_reason]).toEqual([content, finish])
  })

  it('has these chunks', () => {
    const of = (delta: object, finish_reason: string | null = null) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_735_689_600,
      model: 'default',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    })
    expect(chunksOf(RECORDED.JOINED, false)).toEqual([
      of({ role: 'assistant', content: '' }),
      of({ reasoning_content: 'Two and two.' }),
      of({ content: 'It is fo' }),
      of({ content: 'ur.' }),
      { ...of({}, 'stop'), turnstep: { session_id: 's1', turn_id: 'u1', end: 'completed' } },
    ])
  })

  it('says nothing while it waits for a human', () => {
    expect(chunksOf(RECORDED.APPROVAL_PENDING)).toHaveLength(2)
  })

  it('goes on unseen when an attempt repeats what was sent', async () => {
    const items = RECORDED.STARTED_OVER.map((item): StreamItem => {
      if (item.kind !== 'delta' || item.delta.text !== 'It is fi') return item
      return { kind: 'delta', delta: { ...item.delta, text: 'It is fo' } }
    })
    expect((await completed(chunksOf(items))).content).toBe('It is four.')
  })

  it('fails when an attempt says something else than what was sent', async () => {
    await expect(completed(chunksOf(RECORDED.STARTED_OVER))).rejects.toMatchObject({
      code: 'stream_restarted',
    })
  })

  it('fails when its message is not taken', async () => {
    await expect(completed(chunksOf(RECORDED.REFUSED))).rejects.toMatchObject({
      message: 'The message was not taken: inbox-full.',
    })
  })

  it('leaves the hand-back after a piece that was not kept', async () => {
    expect((await completed(chunksOf(RECORDED.FAILED))).content).toBe(`It\n\n${HAND_BACK_TEXT}`)
  })
})

describe('a response', () => {
  it.each([...TABLE, ['STARTED_OVER', 'It is four.', 'stop', 'completed'] as const])(
    'streams %s',
    async (name, content, _, status) => {
      const { response, last } = await responded(eventsOf(RECORDED[name]))
      expect(response.status).toBe(status)
      expect(response.output_text).toBe(content.replaceAll(/(?<=\.|is )\n\n/g, ''))
      expect(last).toBe(status === 'completed' ? 'response.completed' : 'response.incomplete')
    },
  )

  it('says why it failed', async () => {
    const { response, last } = await responded(eventsOf(RECORDED.FAILED))
    expect(last).toBe('response.failed')
    expect(response.error).toEqual({ code: 'server_error', message: 'It was stopped.' })
  })

  it('numbers its events', () => {
    expect(eventsOf(RECORDED.JOINED).map((event) => `${event.sequence_number} ${event.type}`)).toEqual([
      '0 response.created',
      '1 response.in_progress',
      '2 response.output_item.added',
      '3 response.content_part.added',
      '4 response.reasoning_text.delta',
      '5 response.reasoning_text.done',
      '6 response.content_part.done',
      '7 response.output_item.done',
      '8 response.output_item.added',
      '9 response.content_part.added',
      '10 response.output_text.delta',
      '11 response.output_text.delta',
      '12 response.output_text.done',
      '13 response.content_part.done',
      '14 response.output_item.done',
      '15 response.completed',
    ])
  })

  it('is queued before its Turn, and in progress until its end', () => {
    expect(responseOf(RESPONSE, gathered([])).status).toBe('queued')
    expect(responseOf(RESPONSE, gathered(RECORDED.APPROVAL_PENDING)).status).toBe('in_progress')
    expect(responseOf(RESPONSE, gathered(RECORDED.REFUSED))).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_prompt', message: 'The message was not taken: inbox-full.' },
    })
  })
})

describe('any cut of the items', () => {
  it('leaves what the official client reads without complaint', async () => {
    const names = Object.keys(RECORDED) as Recorded[]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.nat(20), async (name, end) => {
        const items = RECORDED[name].slice(0, end)
        expect(chunksOf(RECORDED[name]).slice(0, chunksOf(items).length)).toEqual(chunksOf(items))
        await responded(eventsOf(items))
      }),
      { numRuns: 100 },
    )
  })
})
