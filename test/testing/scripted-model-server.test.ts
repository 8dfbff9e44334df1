import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { gate } from '../../src/testing/gate.ts'
import { scriptByConversation } from '../../src/testing/script-by-conversation.ts'
import {
  callTools,
  cutAfter,
  hang,
  hangAfter,
  holdAfter,
  holdBeforeFirstToken,
  malformedAfter,
  rateLimited,
  rawEvents,
  say,
  serverError,
} from '../../src/testing/scripted-answer.ts'
import {
  ScriptedModelServer,
  type ScriptedModelServerOptions,
} from '../../src/testing/scripted-model-server.ts'

let server: ScriptedModelServer | undefined

afterEach(async () => {
  const closing = server
  server = undefined
  await closing?.close()
})

async function start(options: ScriptedModelServerOptions): Promise<ScriptedModelServer> {
  server = await ScriptedModelServer.start(options)
  return server
}

const ask = (text = 'Hi') => ({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] })

function post({ url }: ScriptedModelServer, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), ...init })
}

const isAborted = (number: number) => (entry: { number: number; abortedAt?: number }) =>
  entry.number === number && entry.abortedAt !== undefined

describe('ScriptedModelServer', () => {
  it('speaks the protocol as the official client reads it', async () => {
    const { url } = await start({
      script: [
        {
          reasoning: 'Hm',
          text: 'Hello 😀',
          calls: [{ tool: 'add', arguments: { a: 1 } }],
          usage: { inputTokens: 5, outputTokens: 6 },
          chunkCharacters: 2,
        },
      ],
    })
    const stream = new OpenAI({ baseURL: url, apiKey: 'none' }).chat.completions.stream({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      stream_options: { include_usage: true },
    })
    const completion = await stream.finalChatCompletion()
    expect(completion.choices[0]?.message).toMatchObject({
      content: 'Hello 😀',
      tool_calls: [{ type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
    })
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls')
    expect(completion.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 })
  })

  it('answers a request that does not stream', async () => {
    const { url } = await start({ script: [{ text: 'Hello', calls: [{ tool: 'add' }] }] })
    const completion = await new OpenAI({ baseURL: url, apiKey: 'none' }).chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(completion.choices[0]?.message).toMatchObject({
      content: 'Hello',
      tool_calls: [{ function: { name: 'add', arguments: '{}' } }],
    })
    expect(completion.usage).toBeDefined()
  })

  it('lists its models', async () => {
    const { url } = await start({ models: ['a', 'b'] })
    const { data } = await new OpenAI({ baseURL: url, apiKey: 'none' }).models.list()
    expect(data.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('answers in the order of its script, and takes more answers later', async () => {
    const started = await start({ script: [say('one')] })
    expect(await (await post(started, ask())).text()).toContain('"content":"one"')
    started.enqueue(say('two'))
    expect(await (await post(started, ask())).text()).toContain('"content":"two"')
  })

  it('answers by a function of the request', async () => {
    const started = await start({
      respond: ({ messages }, { number }) => say(`${number}: ${String(messages[0]?.content)}`),
    })
    expect(await (await post(started, ask('Hi'))).text()).toContain('"content":"1: Hi"')
  })

  it('answers each conversation out of its own script', async () => {
    const started = await start({
      respond: scriptByConversation({ apples: [say('a1'), say('a2')], pears: [say('p1')] }),
    })
    const texts = await Promise.all(
      [ask('about apples'), ask('about pears')].map(async (body) => (await post(started, body)).text()),
    )
    expect(texts[0]).toContain('"content":"a1"')
    expect(texts[1]).toContain('"content":"p1"')
    expect(await (await post(started, ask('about apples'))).text()).toContain('"content":"a2"')
    expect((await post(started, ask('about plums'))).status).toBe(400)
    expect(started.takeViolations()).toHaveLength(1)
  })

  it('sends no usage to those who did not ask for it, nor when the script says so', async () => {
    const started = await start({ script: [say('a'), say('b', { usage: null })] })
    expect(await (await post(started, ask())).text()).not.toContain('usage')
    const asking = { ...ask(), stream_options: { include_usage: true } }
    expect(await (await post(started, asking)).text()).not.toContain('usage')
  })

  it('refuses a request without its key', async () => {
    const started = await start({ script: [say('a')], apiKey: 'right' })
    expect((await post(started, ask())).status).toBe(401)
    expect((await post(started, ask(), { headers: { authorization: 'Bearer right' } })).status).toBe(200)
  })

  it('answers 404 elsewhere', async () => {
    const { url } = await start({})
    expect((await fetch(`${url}/embeddings`, { method: 'POST', body: '{}' })).status).toBe(404)
  })
})

describe('strictness', () => {
  it('answers a bad request with 400 in the shape of OpenAI and fails the test', async () => {
    const started = await start({ script: [say('never')] })
    const response = await post(started, { ...ask(), messages: [] })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: {
        message: 'messages: messages must be a non-empty array',
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    })
    expect(() => started.assertNoViolations()).toThrow(
      /request 1: messages: messages must be a non-empty array/,
    )
    await expect(started.close()).rejects.toThrow(/strict provider/)
    expect(started.takeViolations()).toEqual([
      { request: 1, rule: 'messages', path: 'messages', problem: 'must be a non-empty array' },
    ])
    expect(started.journal.entries[0]).toMatchObject({ status: 400, violations: [{ rule: 'messages' }] })
  })

  it('does not use up the script for a bad request', async () => {
    const started = await start({ script: [say('one')] })
    await post(started, { ...ask(), messages: [] })
    expect(await (await post(started, ask())).text()).toContain('one')
    started.takeViolations()
  })

  it('refuses a body that is not JSON, or not UTF-8', async () => {
    const started = await start({})
    const bodies = ['{"model":', new Uint8Array([0x22, 0xff, 0x22])]
    for (const body of bodies) {
      expect((await fetch(`${started.url}/chat/completions`, { method: 'POST', body })).status).toBe(400)
    }
    expect(started.takeViolations().map(({ rule }) => rule)).toEqual(['body', 'body'])
  })

  it('counts a request beyond the script as a violation', async () => {
    const started = await start({ script: [] })
    expect((await post(started, ask())).status).toBe(400)
    expect(started.takeViolations()).toMatchObject([
      { request: 1, problem: 'was not expected: the script has no answer for it' },
    ])
  })
})

describe('faults', () => {
  it('answers with a status, headers and a body', async () => {
    const started = await start({
      script: [rateLimited(7), serverError(503), { kind: 'status', status: 418, body: 'short and stout' }],
    })
    const limited = await post(started, ask())
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    expect((await post(started, ask())).status).toBe(503)
    expect(await (await post(started, ask())).text()).toBe('short and stout')
  })

  it('cuts the stream after so many chunks', async () => {
    const started = await start({ script: [cutAfter(2, say(['a', 'b', 'c']))] })
    const response = await post(started, ask())
    await expect(response.text()).rejects.toThrow('terminated')
    const entry = await started.journal.waitFor(({ endedAt }) => endedAt !== undefined)
    expect(entry).toMatchObject({ status: 200, chunksSent: 2 })
    expect(entry.abortedAt).toBeUndefined()
  })

  it('sends a chunk that is not JSON', async () => {
    const started = await start({ script: [malformedAfter(1, say(['a', 'b']))] })
    const events = (await (await post(started, ask())).text()).trim().split('\n\n')
    expect(events).toHaveLength(2)
    expect(() => JSON.parse((events[1] ?? '').slice('data: '.length))).toThrow(SyntaxError)
  })

  it('hangs before and in an answer until the client leaves', async () => {
    const started = await start({ script: [hang(), hangAfter(1, say(['a', 'b']))] })
    const controller = new AbortController()
    const silent = post(started, ask(), { signal: controller.signal })
    await started.journal.waitFor(({ number, bodyBytes }) => number === 1 && bodyBytes > 0)
    controller.abort()
    await expect(silent).rejects.toThrow()
    await started.journal.waitFor(isAborted(1))

    const leaving = new AbortController()
    const response = await post(started, ask(), { signal: leaving.signal })
    await started.journal.waitFor(({ number, chunksSent }) => number === 2 && chunksSent === 1)
    leaving.abort()
    await expect(response.text()).rejects.toThrow()
    expect(await started.journal.waitFor(isAborted(2))).toMatchObject({ chunksSent: 1, status: 200 })
  })

  it('waits at a gate, before the first token and between chunks', async () => {
    const [first, second] = [gate(), gate()]
    const started = await start({
      script: [holdBeforeFirstToken(first, holdAfter(1, second, say(['a', 'b'])))],
    })
    const response = await post(started, ask())
    expect(started.journal.entries[0]).toMatchObject({ status: 200, chunksSent: 0 })
    first.open()
    await started.journal.waitFor(({ chunksSent }) => chunksSent === 1)
    expect(second.isOpen).toBe(false)
    second.open()
    expect(await response.text()).toMatch(/"a".*"b".*\[DONE\]/s)
  })

  it('is left by the client at a closed gate', async () => {
    const started = await start({ script: [holdAfter(1, gate(), say(['a', 'b']))] })
    const controller = new AbortController()
    await post(started, ask(), { signal: controller.signal })
    await started.journal.waitFor(({ chunksSent }) => chunksSent === 1)
    controller.abort()
    expect(await started.journal.waitFor(isAborted(1))).toMatchObject({ chunksSent: 1 })
  })

  it('sends raw pieces as they are', async () => {
    const started = await start({
      script: [
        rawEvents({ choices: [] }, '[DONE]'),
        { kind: 'raw', pieces: ['a', new Uint8Array([0x62])], contentType: 'text/plain' },
      ],
    })
    expect(await (await post(started, ask())).text()).toBe('data: {"choices":[]}\n\ndata: [DONE]\n\n')
    expect(await (await post(started, ask())).text()).toBe('ab')
  })
})

describe('the journal', () => {
  it('keeps each request with its body, times and status', async () => {
    const started = await start({ script: [callTools({ tool: 'add' })] })
    await (await post(started, ask('Hello'))).text()
    const entry = await started.journal.waitFor(({ endedAt }) => endedAt !== undefined)
    expect(entry).toMatchObject({
      number: 1,
      method: 'POST',
      path: '/v1/chat/completions',
      status: 200,
      chunksSent: 2,
      violations: [],
    })
    expect(entry.body.messages).toEqual([{ role: 'user', content: 'Hello' }])
    const { receivedAt, answeredAt = 0, endedAt = 0 } = entry
    expect([receivedAt, answeredAt, endedAt]).toEqual([receivedAt, answeredAt, endedAt].sort((a, b) => a - b))
    expect(Math.abs(Date.now() - receivedAt)).toBeLessThan(60_000)
  })

  it('says what it holds when nothing meets a condition in time', async () => {
    const started = await start({ script: [say('a')] })
    await (await post(started, ask())).text()
    await expect(started.journal.waitFor(({ number }) => number === 9, 1)).rejects.toThrow(
      /#1 POST \/v1\/chat\/completions 200/,
    )
  })

  it('fails with what a condition throws', async () => {
    const started = await start({ script: [say('a')] })
    const waiting = started.journal.waitFor(() => {
      throw new Error('a bug in the test')
    })
    const settled = expect(waiting).rejects.toThrow('a bug in the test')
    await (await post(started, ask())).text()
    await settled
  })

  it('forgets old entries and bodies above its limits', async () => {
    const started = await start({ respond: () => say('a'), journal: { entries: 2, bodyBytes: 10 } })
    for (const text of ['one', 'two', 'three']) await (await post(started, ask(text))).text()
    const { entries, count } = started.journal
    expect([count, entries.map(({ number }) => number)]).toEqual([3, [2, 3]])
    expect(() => entries[0]?.body).toThrow('Request 2 has no body, or it was dropped.')
    expect(entries[1]?.body.messages[0]?.content).toBe('three')
  })
})
