import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/core/message.ts'
import type { ModelRequest, ModelToolDescription } from '../../src/core/ports.ts'
import { buildChatRequest } from '../../src/model/build-chat-request.ts'
import { type Dialect, dialectOf } from '../../src/model/dialect.ts'
import type { ReasoningReplay } from '../../src/model/reasoning-replay.ts'
import { findViolations } from '../../src/testing/find-violations.ts'

const ADD: ModelToolDescription = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: {} },
}
const NOW: ModelToolDescription = {
  name: 'now',
  description: 'Tells the time.',
  parameters: { type: 'object' },
}

const OPENAI = dialectOf('api.openai.com', 'gpt')

const user = (content: string): Message => ({ role: 'user', content })
const says = (text: string): Message => ({ role: 'assistant', text, calls: [] })
const callsTool = (callId: string, args = '{}', tool = 'add'): Message => ({
  role: 'assistant',
  text: '',
  calls: [{ callId, tool, arguments: args }],
})
const receipt = (callId: string, content = '3'): Message => ({
  role: 'tool',
  callId,
  kind: 'ok',
  isError: false,
  content,
})

function build(
  messages: readonly Message[],
  more: Partial<ModelRequest> & { replay?: ReasoningReplay; dialect?: Partial<Dialect>; body?: object } = {},
) {
  const { replay = 'never', dialect = {}, body = {}, instructions = '', tools = [] } = more
  return buildChatRequest(
    { instructions, messages, tools },
    { model: 'm', dialect: { ...OPENAI, ...dialect, reasoningReplay: replay }, body: { ...body } },
  )
}

const parsed = (text: string): { messages: unknown[] } & Record<string, unknown> => JSON.parse(text)
const messagesOf = (messages: readonly Message[], replay: ReasoningReplay = 'never') =>
  parsed(build(messages, { replay })).messages

describe('buildChatRequest', () => {
  it('maps instructions, messages and tools one to one', () => {
    const messages = [user('Add'), callsTool('c1', '{"x":1}'), receipt('c1'), says('3')]
    expect(
      parsed(build([...messages, user('Thanks')], { instructions: 'Be brief.', tools: [NOW, ADD] })),
    ).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: { name: 'now', description: 'Tells the time.', parameters: { type: 'object' } },
        },
        {
          type: 'function',
          function: { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } },
        },
      ],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Add' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"x":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '3' },
        { role: 'assistant', content: '3' },
        { role: 'user', content: 'Thanks' },
      ],
    })
  })

  it('leaves out what is empty: instructions and tools', () => {
    expect(parsed(build([user('Hi')]))).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })

  it('adds further fields, which may replace its own', () => {
    expect(parsed(build([user('Hi')], { body: { temperature: 0, stream_options: undefined } }))).toEqual({
      model: 'm',
      stream: true,
      temperature: 0,
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })

  it('only grows at its end when the conversation grows', () => {
    const first = [user('Add'), callsTool('c1')]
    const grown = [
      ...first.map((message) => structuredClone(message)),
      receipt('c1'),
      says('3'),
      user('Go on'),
    ]
    const before = build(first, { tools: [ADD], instructions: 'Be brief.' })
    expect(build(grown, { tools: [ADD], instructions: 'Be brief.' }).startsWith(before.slice(0, -2))).toBe(
      true,
    )
  })

  it('B28: never sends an assistant message without text and calls', () => {
    expect(messagesOf([user('a'), says(''), user('b'), says(' \n'), user('c')])).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'user', content: 'c' },
    ])
  })

  it.each([
    ['', '{}'],
    [' \n', '{}'],
    ['{"x":1}', '{"x":1}'],
    ['{"x":', '{"malformed_arguments":"{\\"x\\":"}'],
    ['[1]', '{"malformed_arguments":"[1]"}'],
    ['{"x":"a\\u0000b\\ud83d"}', '{"x":"a\uFFFDb\uFFFD"}'],
    ['{"x":"\\ud83d\\ude00"}', '{"x":"😀"}'],
  ])('B30: sends arguments %j as %j', (stored, sent) => {
    expect(messagesOf([user('a'), callsTool('c1', stored), receipt('c1')])[1]).toMatchObject({
      tool_calls: [{ function: { arguments: sent } }],
    })
  })

  it.each([
    ['', 'unnamed'],
    ['get.weather now', 'get_weather_now'],
    ['x'.repeat(70), 'x'.repeat(64)],
  ])('sends a tool name that no provider takes, %j, as %j', (tool, name) => {
    expect(messagesOf([user('a'), callsTool('c1', '{}', tool), receipt('c1')])[1]).toMatchObject({
      tool_calls: [{ function: { name } }],
    })
  })

  it('B50, B52: sends no half of a surrogate pair and no NUL', () => {
    const dirty = 'a\0b\ud83d'
    const text = build(
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: dirty },
            { type: 'file', ref: 'data:text/plain,x', name: 'n' },
          ],
        },
        {
          role: 'assistant',
          text: dirty,
          reasoning: { field: 'reasoning', text: dirty },
          calls: [{ callId: 'c1', tool: 'add', arguments: `{"x":"\0"}` }],
        },
        receipt('c1', dirty),
      ],
      {
        instructions: dirty,
        tools: [{ ...ADD, description: dirty, parameters: { type: 'object', description: dirty } }],
        replay: 'always',
      },
    )
    expect(findViolations(JSON.parse(text))).toEqual([])
    expect(text.match(/a\uFFFDb\uFFFD/g)).toHaveLength(7)
  })

  it.each([
    {
      what: 'an image',
      part: { type: 'image', ref: 'https://x.test/a.png' },
      sent: { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
    },
    {
      what: 'an image as data',
      part: { type: 'image', ref: 'data:image/png;base64,AA==' },
      sent: { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    },
    {
      what: 'a file as data',
      part: { type: 'file', ref: 'data:application/pdf;base64,AA==', name: 'a.pdf' },
      sent: { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
    },
    {
      what: 'a file without a name',
      part: { type: 'file', ref: 'data:application/pdf;base64,AA==' },
      sent: { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'file' } },
    },
    {
      what: 'an uploaded file',
      part: { type: 'file', ref: 'file-abc' },
      sent: { type: 'file', file: { file_id: 'file-abc' } },
    },
    {
      what: 'the address of a file',
      part: { type: 'file', ref: 'https://x.test/a.pdf', name: 'a.pdf' },
      sent: { type: 'text', text: '[file a.pdf: https://x.test/a.pdf]' },
    },
  ] as const)('maps $what', ({ part, sent }) => {
    const content = [{ type: 'text', text: 'See' } as const, part]
    expect(messagesOf([{ role: 'user', content }])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'See' }, sent] },
    ])
  })

  it('sends a stand-in where content is empty', () => {
    expect(
      messagesOf([
        user(''),
        { role: 'user', content: [{ type: 'text', text: '' }] },
        callsTool('c1'),
        receipt('c1', ''),
      ]),
    ).toMatchObject([{ content: '(empty)' }, { content: '(empty)' }, {}, { content: '(empty)' }])
  })
})

describe('reasoning in a request', () => {
  const thinks = (callId: string, field = 'reasoning_content'): Message =>
    ({
      ...callsTool(callId),
      reasoning: { field, text: `think ${callId}` },
    }) as Message
  const answers: Message = {
    role: 'assistant',
    text: 'Done',
    reasoning: { field: 'reasoning_content', text: 'think last' },
    calls: [],
  }
  const talk = [
    user('a'),
    thinks('c1'),
    receipt('c1'),
    answers,
    user('b'),
    thinks('c2'),
    receipt('c2'),
    user('steer'),
    thinks('c3'),
    receipt('c3'),
  ]

  it.each([
    { replay: 'never', sent: [] },
    { replay: 'within-turn', sent: ['think c2', 'think c3'] },
    { replay: 'always', sent: ['think c1', 'think last', 'think c2', 'think c3'] },
  ] as const)('is replayed $replay', ({ replay, sent }) => {
    const found = messagesOf(talk, replay).map(
      (message) => (message as Record<string, unknown>)['reasoning_content'],
    )
    expect(found.filter((text) => text !== undefined)).toEqual(sent)
  })

  it('goes under the field that it came in, beside content that is not null', () => {
    expect(messagesOf([user('a'), thinks('c1', 'reasoning'), receipt('c1')], 'always')[1]).toMatchObject({
      content: '',
      reasoning: 'think c1',
    })
  })

  it('leaves a blank where a message with calls has none, if others have', () => {
    const messages = [user('a'), callsTool('c1'), receipt('c1'), thinks('c2'), receipt('c2')]
    expect(messagesOf(messages, 'always')[1]).toMatchObject({ content: '', reasoning_content: ' ' })
    expect(messagesOf(messages.slice(0, 3), 'always')[1]).not.toHaveProperty('reasoning_content')
    expect(messagesOf(messages, 'within-turn')[1]).not.toHaveProperty('reasoning_content')
  })

  it('that came as a part of the content does not replace the content', () => {
    expect(
      messagesOf(
        [user('a'), { ...answers, reasoning: { field: 'content', text: 'Hm' } } as Message, user('b')],
        'always',
      )[1],
    ).toEqual({
      role: 'assistant',
      content: 'Done',
    })
  })
})

describe('dialects', () => {
  const talk = [user('a'), callsTool('c1_1_0'), receipt('c1_1_0'), callsTool('c1_2_0'), receipt('c1_2_0')]

  it.each([
    ['api.mistral.ai', 'mistral-large-latest', 'nine-characters'],
    ['127.0.0.1', 'Ministral-8B-Instruct', 'nine-characters'],
    ['127.0.0.1', 'mixtral:8x7b', 'nine-characters'],
    ['api.openai.com', 'gpt-5', 'ours'],
  ])('of %s with %s has call ids of the kind %s', (hostname, model, callIds) => {
    expect(dialectOf(hostname, model).callIds).toBe(callIds)
  })

  it.each([
    ['generativelanguage.googleapis.com', 'gemini-3-pro-preview', 'placeholder'],
    ['generativelanguage.googleapis.com', 'models/gemini-4-flash', 'placeholder'],
    ['generativelanguage.googleapis.com', 'gemini-2.5-pro', 'none'],
    ['openrouter.ai', 'google/gemini-3-pro', 'none'],
  ])('of %s with %s has thought signatures: %s', (hostname, model, thoughtSignatures) => {
    expect(dialectOf(hostname, model).thoughtSignatures).toBe(thoughtSignatures)
  })

  it('with ids of nine characters keep calls and receipts together', () => {
    const body = parsed(build(talk, { dialect: { callIds: 'nine-characters' } }))
    expect(findViolations(body)).toEqual([])
    const ids = body.messages.flatMap((message) => (message as { tool_call_id?: string }).tool_call_id ?? [])
    expect(ids).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/), expect.stringMatching(/^[a-z0-9]{9}$/)])
    expect(new Set(ids).size).toBe(2)
  })

  it('with signatures mark the first call of each message', () => {
    const two: Message = {
      role: 'assistant',
      text: '',
      calls: [
        { callId: 'a', tool: 'add', arguments: '{}' },
        { callId: 'b', tool: 'add', arguments: '{}' },
      ],
    }
    const body = parsed(
      build([user('a'), two, receipt('a'), receipt('b')], { dialect: { thoughtSignatures: 'placeholder' } }),
    )
    expect(body.messages[1]).toMatchObject({
      tool_calls: [
        { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
        { id: 'b' },
      ],
    })
    expect(body.messages[1]).not.toHaveProperty('tool_calls[1].extra_content')
  })

  it('do not mix when the same messages go to two providers', () => {
    const first = build(talk, { dialect: { callIds: 'nine-characters' } })
    const second = build(talk)
    expect(second).toContain('"c1_1_0"')
    expect(build(talk, { dialect: { callIds: 'nine-characters' } })).toBe(first)
  })
})

describe('any conversation whose calls are answered', () => {
  const text = fc.string({ unit: 'binary', maxLength: 10 })
  const step = fc
    .record({
      text,
      args: fc.array(text, { maxLength: 3 }),
      results: fc.array(text, { minLength: 3, maxLength: 3 }),
      tool: text,
    })
    .map(({ text: said, args, results, tool }) => ({ said, args, results, tool }))

  it('makes a request that a strict provider takes', () => {
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 5 }), text, (instructions, steps, ask) => {
        const messages = steps.flatMap(({ said, args, results, tool }, index): Message[] => [
          user(said),
          {
            role: 'assistant',
            text: said,
            calls: args.map((value, position) => ({
              callId: `c${index}_${position}`,
              tool,
              arguments: value,
            })),
          },
          ...args.map((_, position) => receipt(`c${index}_${position}`, results[position])),
        ])
        expect(
          findViolations(JSON.parse(build([...messages, user(ask)], { instructions, tools: [ADD] }))),
        ).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
