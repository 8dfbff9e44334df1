import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ModelDelta, ModelRequest } from '../../src/core/ports.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import { gate } from '../../src/testing/gate.ts'
import {
  callTools,
  cutAfter,
  hang,
  holdAfter,
  malformedAfter,
  rateLimited,
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

async function start(options: ScriptedModelServerOptions) {
  server = await ScriptedModelServer.start(options)
  return { server, model: openaiChat({ model: 'test-model', baseUrl: server.url }) }
}

const ASK: ModelRequest = {
  instructions: 'Be brief.',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
}
const quiet = () => ({ signal: new AbortController().signal, onDelta: () => undefined })

describe('openaiChat', () => {
  it('streams text and returns it whole with usage, finish and model', async () => {
    const { model } = await start({
      script: [
        say('Hello, world: here I am.', { usage: { inputTokens: 5, outputTokens: 7 }, chunkCharacters: 5 }),
      ],
    })
    const deltas: ModelDelta[] = []
    const response = await model.respond(ASK, {
      signal: new AbortController().signal,
      onDelta: (delta) => deltas.push(delta),
    })
    expect(response).toEqual({
      text: 'Hello, world: here I am.',
      calls: [],
      finish: 'stop',
      usage: { inputTokens: 5, outputTokens: 7 },
      model: 'test-model',
    })
    expect(deltas.map((delta) => delta.text)).toEqual(['Hello', ', wor', 'ld: h', 'ere I', ' am.'])
  })

  it('returns tool calls', async () => {
    const { model } = await start({
      script: [callTools({ tool: 'add', arguments: { a: 1, b: 2 } }, { tool: 'now' })],
    })
    const response = await model.respond(ASK, quiet())
    expect(response.calls).toEqual([
      { tool: 'add', argumentsText: '{"a":1,"b":2}', isWhole: true },
      { tool: 'now', argumentsText: '{}', isWhole: true },
    ])
    expect(response.finish).toBe('tool_calls')
  })

  it('B84: makes exactly one request per respond, whatever the failure', async () => {
    const { server, model } = await start({
      script: [
        serverError(500),
        rateLimited(3),
        cutAfter(1, say('Hello, this is a long text.')),
        malformedAfter(1, say('Hello')),
      ],
    })
    await expect(model.respond(ASK, quiet())).rejects.toMatchObject({
      code: 'provider-unavailable',
      retryable: true,
    })
    await expect(model.respond(ASK, quiet())).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfterMs: 3_000,
    })
    await expect(model.respond(ASK, quiet())).rejects.toMatchObject({ code: 'provider-unavailable' })
    await expect(model.respond(ASK, quiet())).rejects.toMatchObject({ code: 'provider-protocol' })
    expect(server.journal.count).toBe(4)
  })

  it('fails with the reason of the signal, and the provider sees the cut', async () => {
    const { server, model } = await start({
      script: [holdAfter(1, gate(), say('Hello, this is a long text.')), hang()],
    })
    for (const number of [1, 2]) {
      const controller = new AbortController()
      const reason = new Error('stopped by the user')
      const answer = model.respond(ASK, { signal: controller.signal, onDelta: () => undefined })
      const settled = expect(answer).rejects.toBe(reason)
      await server.journal.waitFor((entry) => entry.number === number && entry.bodyBytes > 0)
      controller.abort(reason)
      await settled
      await server.journal.waitFor((entry) => entry.number === number && entry.abortedAt !== undefined)
    }
  })
})

describe('what openaiChat sends', () => {
  it('is one streaming request with the key, and nothing of the machine', async () => {
    const { server } = await start({ script: [say('Hi')], apiKey: 'the-key' })
    const model = openaiChat({
      model: 'm',
      baseUrl: `${server.url}/`,
      apiKey: 'the-key',
      headers: { 'x-team': 'blue' },
    })
    await model.respond(ASK, quiet())
    const [entry] = server.journal.entries
    expect(entry?.headers).toMatchObject({
      'user-agent': 'turnstep',
      authorization: 'Bearer the-key',
      'x-team': 'blue',
      'content-type': 'application/json',
    })
    expect(entry?.body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    })
  })

  it('carries a placeholder where the server wants no key', async () => {
    const { server, model } = await start({ script: [say('Hi')] })
    await model.respond(ASK, quiet())
    expect(server.journal.entries[0]?.headers['authorization']).toBe('Bearer no-key')
  })

  it('replays reasoning as it is told to', async () => {
    const { server } = await start({ script: [say('a'), say('b')] })
    const messages = [
      { role: 'user', content: 'Add' },
      {
        role: 'assistant',
        text: '',
        reasoning: { field: 'reasoning', text: 'Hm' },
        calls: [{ callId: 'c1', tool: 'add', arguments: '{}' }],
      },
      { role: 'tool', callId: 'c1', kind: 'ok', isError: false, content: '3' },
    ] as const
    for (const reasoningReplay of ['never', 'always'] as const) {
      await openaiChat({ model: 'm', baseUrl: server.url, reasoningReplay }).respond(
        { ...ASK, messages },
        quiet(),
      )
    }
    const [without, replayed] = server.journal.entries.map(({ body }) => body.messages[2])
    expect(without).not.toHaveProperty('reasoning')
    expect(replayed).toHaveProperty('reasoning', 'Hm')
  })
})

describe('the environment', () => {
  it('gives model, address and key, read at the first request', async () => {
    const { server } = await start({ script: [say('Hi')], apiKey: 'from-environment' })
    const environment: { openaiApiKey?: string; openaiBaseUrl?: string; turnstepModel?: string } = {}
    const model = openaiChat({ environment })
    environment.openaiApiKey = 'from-environment'
    environment.openaiBaseUrl = server.url
    environment.turnstepModel = 'small'
    expect(model.name).toBe('small')
    expect(await model.respond(ASK, quiet())).toMatchObject({ text: 'Hi', model: 'small' })
  })

  it('gives way to options', async () => {
    const { server } = await start({ script: [say('Hi')], apiKey: 'mine' })
    const environment = {
      openaiApiKey: 'other',
      openaiBaseUrl: 'http://127.0.0.1:1/v1',
      turnstepModel: 'other',
    }
    const model = openaiChat({ model: 'mine', baseUrl: server.url, apiKey: 'mine', environment })
    expect(model.name).toBe('mine')
    expect(await model.respond(ASK, quiet())).toMatchObject({ text: 'Hi', model: 'mine' })
  })

  it.each([
    {
      what: 'the model',
      options: { baseUrl: 'http://127.0.0.1:1/v1' },
      code: 'provider-rejected',
      words: 'TURNSTEP_MODEL',
    },
    { what: 'the key of OpenAI', options: { model: 'm' }, code: 'provider-auth', words: 'OPENAI_API_KEY' },
    {
      what: 'an address',
      options: { model: 'm', baseUrl: 'localhost:8080' },
      code: 'provider-rejected',
      words: 'OPENAI_BASE_URL',
    },
  ])('is asked for when $what is missing, before any request', async ({ options, code, words }) => {
    const answer = openaiChat(options).respond(ASK, quiet())
    await expect(answer).rejects.toMatchObject({
      code,
      retryable: false,
      message: expect.stringContaining(words) as string,
    })
  })

  it('is asked for when an agent is defined with a model that has no name', () => {
    expect(() => openaiChat({}).name).toThrow(expect.objectContaining({ code: 'invalid-config' }))
  })

  it('is not read by the library itself', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'stray')
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1')
    vi.stubEnv('OPENAI_ORG_ID', 'stray')
    const { server, model } = await start({ script: [say('Hi')] })
    await model.respond(ASK, quiet())
    vi.unstubAllEnvs()
    const headers = JSON.stringify(server.journal.entries[0]?.headers)
    expect(headers).not.toContain('stray')
  })
})

describe('an answer', () => {
  it('B62: has no usage when the provider sends none', async () => {
    const { model } = await start({ script: [say('Hi', { usage: null })] })
    expect(await model.respond(ASK, quiet())).not.toHaveProperty('usage')
  })

  it('B34: that was cut says so, and which of its calls are whole', async () => {
    const { model } = await start({
      script: [{ calls: [{ tool: 'add' }, { tool: 'add', arguments: '{"a":"b' }], finish: 'length' }],
    })
    expect(await model.respond(ASK, quiet())).toMatchObject({
      finish: 'length',
      calls: [
        { argumentsText: '{}', isWhole: true },
        { argumentsText: '{"a":"b', isWhole: false },
      ],
    })
  })

  it('B40: that was filtered is content_filter, without text', async () => {
    const { model } = await start({ script: [{ finish: 'content_filter' }] })
    expect(await model.respond(ASK, quiet())).toMatchObject({ finish: 'content_filter', text: '', calls: [] })
  })

  it('keeps what streamed before a failure with whoever listened', async () => {
    const { model } = await start({ script: [cutAfter(2, say(['Hello, ', 'world', ' and all']))] })
    const deltas: ModelDelta[] = []
    const answer = model.respond(ASK, {
      signal: new AbortController().signal,
      onDelta: (delta) => deltas.push(delta),
    })
    await expect(answer).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect(deltas).toEqual([{ text: 'Hello, ' }, { text: 'world' }])
  })

  it('is not waited for when the signal is aborted before', async () => {
    const { server, model } = await start({ script: [] })
    const reason = new Error('too late')
    await expect(
      model.respond(ASK, { signal: AbortSignal.abort(reason), onDelta: () => undefined }),
    ).rejects.toBe(reason)
    expect(server.journal.count).toBe(0)
  })

  it('leaves no listener on the signal', async () => {
    const { model } = await start({ script: [say('a'), serverError()] })
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await model.respond(ASK, { signal, onDelta: () => undefined })
    await expect(model.respond(ASK, { signal, onDelta: () => undefined })).rejects.toThrow()
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    )
    expect(added).toHaveBeenCalledTimes(2)
  })

  it('that takes too long to begin is unavailable', async () => {
    const { server } = await start({ script: [hang()] })
    const model = openaiChat({ model: 'm', baseUrl: server.url, timeoutMs: 1 })
    await expect(model.respond(ASK, quiet())).rejects.toMatchObject({ code: 'provider-unavailable' })
  })
})
