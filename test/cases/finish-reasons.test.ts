import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/event.ts'
import { callTools, hang, rawEvents, type ScriptedAnswer, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { callsIn, receiptsIn, sharedWorld } from '../support/conversations.ts'

const runs: string[] = []
const cases = sharedWorld({
  tools: [
    defineTool({
      name: 'write',
      description: 'Writes.',
      effect: 'once',
      input: { type: 'object', properties: { text: { type: 'string' } } },
      run: (_args, { session }) => {
        runs.push(session.session)
        return 'written'
      },
    }),
  ],
})

const write = callTools({ tool: 'write', arguments: { text: 'much' } })
const messages = (log: readonly Event[]) => log.filter((event) => event.type === 'assistant/message')

describe.concurrent('how an answer finished', () => {
  it.each([
    ['with its arguments missing', callTools({ tool: 'write', arguments: {} })],
    ['in the middle of its arguments', callTools({ tool: 'write', arguments: '{"text":"mu' })],
    ['behind its arguments', write],
    ['behind a text', { ...write, text: 'I will write.' }],
    [
      'in the second of two',
      callTools({ tool: 'write', arguments: {} }, { tool: 'write', arguments: '{"te' }),
    ],
  ] as const)('B34: a call cut %s does not run, and the model is told', async (_where, reply) => {
    const talk = cases.open({ ...reply, finish: 'length' }, say('Shorter, then.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Shorter, then.', steps: 2 })
    expect(runs).not.toContain(talk.session.id)
    expect(receiptsIn(talk.requests[1])).toContainEqual(
      expect.stringMatching(/^Not run: your output was cut off/),
    )
    expect(new Set((await talk.receipts()).map((receipt) => receipt.split(' ')[1]))).toEqual(
      new Set(['output-cut']),
    )
  })

  it('B34: cut three times in a row, ends the Turn with a reason of its own', async () => {
    const cut: ScriptedAnswer = { ...callTools({ tool: 'write', arguments: {} }), finish: 'length' }
    const talk = cases.open(cut, cut, cut)
    expect(await talk.run()).toMatchObject({ reason: 'max-tokens', steps: 3 })
    expect(runs).not.toContain(talk.session.id)
    expect(talk.requests).toHaveLength(3)
    talk.enqueue(say('Again from the start.'))
    await talk.session.followup('Go on.', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed' })
  })

  it('B34: cut twice, then whole, then cut twice, goes on', async () => {
    const cut: ScriptedAnswer = { text: 'And so on and', finish: 'length' }
    const talk = cases.open(cut, cut, write, cut, cut, say('Done.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Done.', steps: 6 })
    expect(runs.filter((session) => session === talk.session.id)).toHaveLength(1)
  })

  it.each([
    ['content_filter', { finish: 'content_filter' }],
    ['content_filter after some text', { text: 'Well, ', finish: 'content_filter' }],
    ['content_filter with a call', { ...write, finish: 'content_filter' }],
    ['a refusal', { refusal: 'I cannot help with that.' }],
  ] as const)('B40: %s is an end of its own, asked for once', async (_what, reply) => {
    const talk = cases.open(reply)
    expect(await talk.run()).toMatchObject({ reason: 'provider-refused', steps: 1 })
    expect(talk.requests).toHaveLength(1)
    expect(runs).not.toContain(talk.session.id)
    for (const event of messages(await talk.log()))
      expect(event.type === 'assistant/message' && (event.text !== '' || event.calls.length > 0)).toBe(true)
    talk.enqueue(say('This I can do.'))
    await talk.session.followup('Something else, then.', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'This I can do.' })
  })

  it.each(['banana', 'recitation', 'STOPPED'])('B40: an unknown reason %j is no success', async (finish) => {
    const talk = cases.open({ ...write, finish }, { text: 'Half', finish }, { text: 'Half', finish })
    expect(await talk.run()).toMatchObject({ reason: 'max-tokens', steps: 3 })
    expect(runs).not.toContain(talk.session.id)
  })

  it('B40: a stream that closes without a reason is no success', async () => {
    const talk = cases.open({ ...write, finish: null }, say('Whole.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Whole.' })
    expect(runs).not.toContain(talk.session.id)
  })

  it.each([
    ['nothing', say('')],
    ['white space', say(' \n ')],
    ['reasoning alone', { reasoning: 'Hm, let me see.' }],
  ] as const)('B28: %s, twice, leaves no empty message', async (_what, reply) => {
    const talk = cases.open(reply, reply)
    expect(await talk.run()).toMatchObject({ reason: 'error', code: 'empty-completion' })
    expect(messages(await talk.log())).toEqual([])
    talk.enqueue(say('Here.'))
    await talk.session.followup('Say something.', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'Here.' })
  })

  it.each([
    ['before its headers', hang()],
    ['before its first token', say('Too late.', { interruptions: [{ kind: 'hang', afterChunks: 0 }] })],
    [
      'while it reasons',
      { reasoning: ['Hm, ', 'let me see.'], interruptions: [{ kind: 'hang', afterChunks: 1 }] },
    ],
    ['after white space', say([' \n', 'Too late.'], { interruptions: [{ kind: 'hang', afterChunks: 1 }] })],
    [
      'in the middle of a call',
      {
        ...callTools({ tool: 'write', arguments: { text: 'x'.repeat(90) } }),
        interruptions: [{ kind: 'hang', afterChunks: 2 }],
      },
    ],
  ] as const)('B28: an answer aborted %s leaves no empty message', async (_when, reply) => {
    const talk = cases.open(reply as ScriptedAnswer)
    await talk.begin()
    const afterChunks = 'interruptions' in reply ? (reply.interruptions[0]?.afterChunks ?? 0) : 0
    await talk.request(1, ({ chunksSent }) => chunksSent >= afterChunks)
    expect(await talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 })).toMatchObject({ reason: 'aborted' })
    expect(messages(await talk.log())).toEqual([])
    talk.enqueue(say('Here.'))
    await talk.session.followup('Are you there?', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'Here.' })
    expect(callsIn(talk.requests[1])).toEqual([])
  })

  it.each([
    ['text', say('A text of some length, for which nobody says what it cost.', { usage: null })],
    ['a call', { ...callTools({ tool: 'write', arguments: { text: 'long '.repeat(20) } }), usage: null }],
    ['reasoning', { reasoning: 'Long thoughts. '.repeat(10), text: 'Yes.', usage: null }],
  ] as const)('B62: usage that is not reported for %s is estimated, and says so', async (what, reply) => {
    const talk = cases.open(reply, say('Done.'))
    const result = await talk.run()
    expect(result).toMatchObject({ reason: 'completed', usage: { estimated: true } })
    const [first] = messages(await talk.log())
    const usage = first?.type === 'assistant/message' ? first.usage : undefined
    expect(usage).toMatchObject({ estimated: true })
    expect(usage?.inputTokens).toBeGreaterThan(5)
    expect(usage?.outputTokens).toBeGreaterThan(what === 'text' ? 10 : 20)
  })

  it('B62: usage that is reported is taken as it is', async () => {
    const talk = cases.open(say('Hi.', { usage: { inputTokens: 11, outputTokens: 7 } }))
    expect(await talk.run()).toMatchObject({ usage: { inputTokens: 11, outputTokens: 7 } })
  })
})

const callWithId = (id: string, text: string) => ({ tool: 'write', arguments: { text }, id })

describe.concurrent('ids of calls', () => {
  it.each(['call_0', '', 'x', 'c1_1_0'])('B38: one constant id %j still brings every result', async (id) => {
    const talk = cases.open(
      callTools(callWithId(id, 'a')),
      callTools(callWithId(id, 'b'), callWithId(id, 'c')),
      callTools(callWithId(id, 'd')),
      say('All written.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'All written.', steps: 4 })
    expect(receiptsIn(talk.requests[3])).toEqual(['written', 'written', 'written', 'written'])
    expect(callsIn(talk.requests[3])).toEqual([
      'write {"text":"a"}',
      'write {"text":"b"}',
      'write {"text":"c"}',
      'write {"text":"d"}',
    ])
    const ids = talk.requests[3]?.messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map((call) => call.id),
    )
    expect(new Set(ids).size).toBe(4)
  })

  it('B38: no id at all still brings every result', async () => {
    const chunk = (delta: unknown, finish: string | null) => ({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    const call = (index: number, text: string) => ({
      index,
      type: 'function',
      function: { name: 'write', arguments: JSON.stringify({ text }) },
    })
    const talk = cases.open(
      rawEvents(chunk({ tool_calls: [call(0, 'a'), call(1, 'b')] }, null), chunk({}, 'tool_calls'), '[DONE]'),
      say('Both written.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Both written.' })
    expect(receiptsIn(talk.requests[1])).toEqual(['written', 'written'])
  })
})
