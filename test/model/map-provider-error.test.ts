import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { TurnstepError } from '../../src/core/errors.ts'
import type { ModelRequest } from '../../src/core/ports.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import type { ScriptedStatus } from '../../src/testing/scripted-answer.ts'
import { ScriptedModelServer } from '../../src/testing/scripted-model-server.ts'

let server: ScriptedModelServer | undefined

afterEach(async () => {
  const closing = server
  server = undefined
  await closing?.close()
})

const SECRET_KEY = 'a-secret-key-of-the-account'
const SECRET_TEXT = 'The merger with Initech is planned for May.'
const REQUEST: ModelRequest = {
  instructions: '',
  messages: [
    { role: 'user', content: SECRET_TEXT },
    { role: 'user', content: 'Initech, secret' },
  ],
  tools: [],
}

/** The error that an answer with this status leads to. */
async function errorOf(answer: Omit<ScriptedStatus, 'kind'>): Promise<TurnstepError> {
  server = await ScriptedModelServer.start({ script: [{ kind: 'status', ...answer }] })
  const model = openaiChat({ model: 'm', baseUrl: server.url, apiKey: SECRET_KEY })
  const error: unknown = await model
    .respond(REQUEST, { signal: new AbortController().signal, onDelta: () => undefined })
    .catch((reason: unknown) => reason)
  if (!(error instanceof TurnstepError)) throw new Error('not a TurnstepError', { cause: error })
  return error
}

const openai = (message: string, code: string | null = null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
})

describe('a status of the provider', () => {
  it.each([
    [400, 'provider-rejected', false],
    [401, 'provider-auth', false],
    [402, 'provider-auth', false],
    [403, 'provider-auth', false],
    [404, 'provider-rejected', false],
    [405, 'provider-rejected', false],
    [408, 'provider-unavailable', true],
    [409, 'provider-unavailable', true],
    [413, 'context-too-long', false],
    [422, 'provider-rejected', false],
    [425, 'provider-unavailable', true],
    [429, 'rate-limited', true],
    [500, 'provider-unavailable', true],
    [502, 'provider-unavailable', true],
    [503, 'provider-unavailable', true],
    [529, 'provider-unavailable', true],
  ])('of %i is %s', async (status, code, retryable) => {
    expect(await errorOf({ status })).toMatchObject({ code, retryable })
  })

  it.each(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'])(
    'of 429 with %s is not worth waiting for',
    async (code) => {
      const error = await errorOf({
        status: 429,
        headers: { 'retry-after': '3' },
        body: openai('Pay.', code),
      })
      expect(error).toMatchObject({ code: 'provider-auth', retryable: false })
      expect(error.retryAfterMs).toBeUndefined()
    },
  )

  it.each([
    [429, 'rate-limited'],
    [503, 'provider-unavailable'],
  ])('B44: of %i brings the time to wait', async (status, code) => {
    expect(await errorOf({ status, headers: { 'retry-after': '30' } })).toMatchObject({
      code,
      retryAfterMs: 30_000,
    })
  })

  it('is read with any body', async () => {
    for (const body of [
      '',
      'Bad Gateway',
      '<html>',
      '[]',
      'null',
      '{"error":null}',
      '{"error":"x"}',
      '[{"error":{"code":400}}]',
    ]) {
      expect(await errorOf({ status: 400, body })).toMatchObject({ code: 'provider-rejected' })
      await server?.close()
    }
  })
})

describe('a request that is too long', () => {
  it.each([
    ['OpenAI, by code', 400, openai('Too long', 'context_length_exceeded')],
    [
      'OpenAI',
      400,
      openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      ),
    ],
    [
      'OpenAI, newer',
      400,
      openai('Your input exceeds the context window of this model. Please adjust your input and try again.'),
    ],
    [
      'OpenAI, more than the account may send',
      429,
      openai(
        'Request too large for gpt on tokens per min (TPM): Limit 10000, Requested 12000.',
        'rate_limit_exceeded',
        'tokens',
      ),
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        type: 'BadRequestError',
        code: 400,
      },
    ],
    [
      'SGLang',
      400,
      openai("The input (263000 tokens) is longer than the model's context length (262144 tokens)."),
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
        },
      },
    ],
    [
      'LM Studio',
      400,
      { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    ],
    ['Ollama', 400, { error: { message: 'prompt too long; exceeded max context length by 12 tokens' } }],
    [
      'DeepSeek',
      400,
      openai("This model's maximum context length is 65536 tokens. However, you requested 70000 tokens"),
    ],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    ],
    [
      'Google',
      400,
      [
        {
          error: {
            code: 400,
            message:
              'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    ['Anthropic', 400, openai('prompt is too long: 213462 tokens > 200000 maximum')],
    [
      'Anthropic, with the answer',
      400,
      openai('input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'),
    ],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
    [
      'Mistral',
      422,
      {
        object: 'error',
        message: 'Prompt contains 40001 tokens, too large for model with 32768 maximum context length',
      },
    ],
    ['Moonshot', 400, openai('Invalid request: Your request exceeded model token limit: 131072')],
    ['Z.ai', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
    ['MiniMax', 400, openai('invalid params, context window exceeds limit (2013)')],
    ['DashScope', 400, openai('Range of input length should be [1, 98304]')],
    ['Together', 422, openai('Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097.')],
    [
      'Poolside',
      400,
      openai('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'),
    ],
    [
      'GitHub',
      413,
      openai('prompt token count of 70000 exceeds the limit of 64000', 'model_max_prompt_tokens_exceeded'),
    ],
    ['a server that calls it its own fault', 500, openai('context length exceeded')],
  ])('is recognized from %s', async (_server, status, body) => {
    expect(await errorOf({ status, body })).toMatchObject({ code: 'context-too-long', retryable: false })
  })

  it.each([
    ['throttling', 400, openai('Too many tokens, please wait before trying again.'), 'provider-rejected'],
    ['a rate limit', 429, openai('Rate limit reached: too many tokens per min'), 'rate-limited'],
    [
      'an answer that may not be so long',
      400,
      openai('max_tokens is too large: 200000. This model supports at most 16384 completion tokens'),
      'provider-rejected',
    ],
    [
      'a key without rights',
      403,
      openai('Your key may not use models with a context length exceeding 8k'),
      'provider-auth',
    ],
  ])('is not seen in %s', async (_what, status, body, code) => {
    expect(await errorOf({ status, body })).toMatchObject({ code })
  })
})

describe('the message of an error', () => {
  it('says what happened, with the facts that the provider names, and what to do', async () => {
    const body = {
      error: {
        message: 'Unknown parameter.',
        type: 'invalid_request_error',
        param: 'tools[0]',
        code: 'unknown_parameter',
      },
    }
    const error = await errorOf({ status: 400, body })
    const host = new URL(server?.url ?? '').host
    expect(error.message).toBe(
      `The model provider at ${host} refused the request (HTTP 400, unknown_parameter, invalid_request_error, tools[0], request req_1). It says: Unknown parameter. Check the model name, the base URL and the tool definitions.`,
    )
    expect(error.cause).toEqual(new Error('Unknown parameter.'))
  })

  it.each([
    `Invalid content: ${SECRET_TEXT}`,
    `You said "${SECRET_TEXT.slice(4, 30)}"`,
    `Incorrect API key provided: ${SECRET_KEY}`,
    'Incorrect API key provided: sk-abcd1234*****efgh.',
    'Bad content: Initech, secret',
  ])('never repeats what was sent: %s', async (words) => {
    for (const status of [400, 401, 429, 500]) {
      const { message, cause } = await errorOf({ status, body: openai(words, words, words) })
      for (const text of [message, inspect(cause)]) {
        expect(text).not.toContain('Initech')
        expect(text).not.toContain('secret')
        expect(text).not.toContain('abcd1234')
      }
      await server?.close()
    }
  })

  it('is bounded and one line', async () => {
    const { message } = await errorOf({ status: 400, body: openai('a\n'.repeat(10_000)) })
    expect(message.length).toBeLessThan(700)
    expect(message).not.toContain('\n')
  })
})

describe('a provider that cannot be reached', () => {
  it('is unavailable, and the message says how', async () => {
    const closed = await ScriptedModelServer.start({ script: [] })
    await closed.close()
    const model = openaiChat({ model: 'm', baseUrl: closed.url })
    const answer = model.respond(REQUEST, { signal: new AbortController().signal, onDelta: () => undefined })
    await expect(answer).rejects.toMatchObject({
      code: 'provider-unavailable',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED') as string,
    })
  })
})
