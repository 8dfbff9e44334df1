import { afterEach, describe, expect, it } from 'vitest'
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
