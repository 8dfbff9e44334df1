import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, cutAfter, holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import { defineTool } from '../../../src/tools/index.ts'
import { eventually } from '../../support/eventually.ts'
import { gatewayWorld } from '../support/gateway-world.ts'

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  run: ({ a, b }) => String(a + b),
})

const gateway = gatewayWorld({
  tools: [add],
  limits: { maxSteps: 2 },
  gateway: { agents: () => [{ name: 'tester' }] },
})

function client(more: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL: `${gateway.url}/v1`, maxRetries: 0, ...more })
}

function hello(key: string) {
  return { model: 'tester', messages: [{ role: 'user' as const, content: `Hello? [${key}]` }] }
}

describe('Chat Completions', () => {
  it('list agents as models', async () => {
    const models = await client().models.list()
    expect(models.data.map(({ id }) => id)).toEqual(['tester'])
  })

  it('answer whole, with the agent’s tools run on the way', async () => {
    const talk = gateway.open(callTools({ tool: 'add', arguments: { a: 2, b: 2 } }), say('It is four.'))
    const completion = await client().chat.completions.create(hello(talk.session.id))
    expect(completion.choices).toMatchObject([
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It is four.' } },
    ])
    expect(completion.usage?.total_tokens).toBeGreaterThan(0)
  })

  it('stream the text as it comes, and the usage where it is asked for', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['It is ', 'four.'])))
    const stream = await client().chat.completions.create({
      ...hello(talk.session.id),
      stream: true,
      stream_options: { include_usage: true },
    })
    const contents: string[] = []
    let finish: string | null | undefined
    let tokens = 0
    for await (const chunk of stream) {
      const [choice] = chunk.choices
      if (choice?.delta.content) contents.push(choice.delta.content)
      if (contents.length === 1) held.open()
      finish = choice?.finish_reason ?? finish
      tokens += chunk.usage?.total_tokens ?? 0
    }
    expect(contents).toEqual(['It is ', 'four.'])
    expect(finish).toBe('stop')
    expect(tokens).toBeGreaterThan(0)
  })

  it('go on in a named session with what is new', async () => {
    const talk = gateway.open(say('Hello.'), say('Again.'))
    const named = client({ defaultHeaders: { 'x-turnstep-session': talk.session.id } })
    const first = hello(talk.session.id)
    await named.chat.completions.create(first)
    const { data, response } = await named.chat.completions
      .create({
        ...first,
        messages: [
          ...first.messages,
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: 'And?' },
        ],
      })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe('Again.')
    expect(response.headers.get('x-turnstep-session')).toBe(talk.session.id)
    const said = (await talk.log()).flatMap((event) => (event.type === 'user/message' ? [event.content] : []))
    expect(said).toEqual([`Hello? [${talk.session.id}]`, 'And?'])
  })

  it('tell a new session of the conversation before', async () => {
    const talk = gateway.open(say('As I said.'))
    const { response } = await client()
      .chat.completions.create({
        model: 'tester',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello?' },
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: `And? [${talk.session.id}]` },
        ],
      })
      .withResponse()
    const session = gateway.world.client.session(response.headers.get('x-turnstep-session') ?? '')
    expect((await session.messages())[0]).toEqual({
      role: 'user',
      content: [
        {
          type: 'text',
          text: '[The conversation so far, as the caller sent it:]\nsystem: Be brief.\nuser: Hello?\nassistant: Hello.\n[What follows is new.]',
        },
        { type: 'text', text: `And? [${talk.session.id}]` },
      ],
    })
  })

  it('run one turn for one idempotency key', async () => {
    const talk = gateway.open(say('Once.'))
    const options = { headers: { 'idempotency-key': talk.session.id } }
    const first = await client().chat.completions.create(hello(talk.session.id), options)
    const again = await client().chat.completions.create(hello(talk.session.id), options)
    expect(again).toEqual(first)
    expect(talk.requests).toHaveLength(1)
  })

  it('run one turn for a request that the client library repeats', async () => {
    const talk = gateway.open(say('Once.'))
    let sent = 0
    const flaky = client({
      maxRetries: 2,
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        sent += 1
        if (sent === 1) throw new TypeError('The connection broke off.')
        return answer
      },
    })
    const completion = await flaky.chat.completions.create(hello(talk.session.id))
    expect(completion.choices[0]?.message.content).toBe('Once.')
    expect([sent, talk.requests.length]).toEqual([2, 1])
  })

  it('go on when the caller has gone', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['It is ', 'four.'])))
    const named = client({ defaultHeaders: { 'x-turnstep-session': talk.session.id } })
    const stream = await named.chat.completions.create({ ...hello(talk.session.id), stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'It is ') break
    held.open()
    await talk.session.whenIdle()
    expect((await talk.log()).at(-1)).toMatchObject({ type: 'turn/end', reason: 'completed' })
  })

  it('end at a limit of the turn with its hand-back', async () => {
    const again = callTools({ tool: 'add', arguments: { a: 1, b: 1 } })
    const talk = gateway.open(again, callTools({ tool: 'add', arguments: { a: 1, b: 2 } }))
    const { choices } = await client().chat.completions.create(hello(talk.session.id))
    expect(choices[0]?.finish_reason).toBe('length')
    expect(choices[0]?.message.content).toContain('Why: The step limit of this turn is used up.')
  })

  it('fail a stream that would contradict what it sent', async () => {
    const talk = gateway.open(cutAfter(1, say(['It is five', ', I think.'])), say('It is four.'))
    const stream = await client().chat.completions.create({ ...hello(talk.session.id), stream: true })
    const read = async () => {
      for await (const _ of stream);
    }
    await expect(read()).rejects.toMatchObject({ code: 'stream_restarted' })
  })

  it('refuse what no agent can do, in the words of the protocol', async () => {
    const asked = hello('none')
    const tools = [{ type: 'function' as const, function: { name: 'mine', parameters: {} } }]
    await expect(client().chat.completions.create({ ...asked, tools })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
      param: 'tools',
    })
    await expect(client().chat.completions.create({ ...asked, model: 'nobody' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    })
    await expect(
      client().chat.completions.create({ ...asked, messages: [{ role: 'assistant', content: 'Hm.' }] }),
    ).rejects.toMatchObject({ status: 400, code: 'invalid-input' })
  })
})

describe('Responses', () => {
  it('answer, and go on from the last one', async () => {
    const talk = gateway.open(say('Hello.'), say('Again.'))
    const first = await client().responses.create({ model: 'tester', input: `Hello? [${talk.session.id}]` })
    expect([first.status, first.output_text]).toEqual(['completed', 'Hello.'])
    const next = await client().responses.create({
      model: 'tester',
      input: 'And?',
      previous_response_id: first.id,
    })
    expect(next.output_text).toBe('Again.')
    expect(talk.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
    await expect(
      client().responses.create({ model: 'tester', input: 'Or?', previous_response_id: first.id }),
    ).rejects.toMatchObject({ status: 400, code: 'invalid-input' })
    expect(await client().responses.retrieve(next.id)).toMatchObject({
      status: 'completed',
      model: 'tester',
      output: [{ type: 'message', content: [{ text: 'Again.' }] }],
    })
  })

  it('stream to their last event', async () => {
    const talk = gateway.open(say(['It is ', 'four.'], { reasoning: 'Two and two.' }))
    const stream = client().responses.stream({ model: 'tester', input: `Hello? [${talk.session.id}]` })
    const types: string[] = []
    for await (const event of stream) types.push(event.type)
    expect(types.at(-1)).toBe('response.completed')
    expect((await stream.finalResponse()).output_text).toBe('It is four.')
  })

  it('run in the background, are retrieved, and are cancelled', async () => {
    const talk = gateway.open(holdAfter(1, gate(), say(['It is ', 'four.'])))
    const begun = await client().responses.create({
      model: 'tester',
      input: `Hello? [${talk.session.id}]`,
      background: true,
    })
    expect(['queued', 'in_progress']).toContain(begun.status)
    await talk.streaming()
    await eventually(async () => (await client().responses.retrieve(begun.id)).status === 'in_progress')
    const cancelled = await client().responses.cancel(begun.id)
    expect(cancelled.status).toBe('cancelled')
    expect((await client().responses.retrieve(begun.id)).output_text).toContain('It is')
  })

  it('are not there under ids that were not given', async () => {
    await expect(client().responses.retrieve('resp_none')).rejects.toMatchObject({
      status: 404,
      code: 'not-found',
    })
    await expect(
      client().responses.create({ model: 'tester', input: 'Hi', store: false }),
    ).rejects.toMatchObject({
      status: 400,
      param: 'store',
    })
  })
})
