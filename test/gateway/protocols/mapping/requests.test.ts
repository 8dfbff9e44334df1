import { describe, expect, it } from 'vitest'
import type { Event } from '../../../../src/core/event.ts'
import { RunAgentInput, readRunInput } from '../../../../src/gateway/protocols/ag-ui/run-request.ts'
import { ChatRequestBody, readChatRequest } from '../../../../src/gateway/protocols/ai-sdk/chat-request.ts'
import {
  cursorAt,
  offsetOf,
  parseOffset,
} from '../../../../src/gateway/protocols/durable-streams/position.ts'
import { answerIdOf, parseAnswerId } from '../../../../src/gateway/protocols/openai/answer-id.ts'
import { checkSupported } from '../../../../src/gateway/protocols/openai/chat-request.ts'
import { type CallerMessage, newContent } from '../../../../src/gateway/protocols/openai/new-messages.ts'
import { messagesOf, ResponseBody } from '../../../../src/gateway/protocols/openai/response-request.ts'
import { pausedAt } from '../../../../src/gateway/protocols/paused-at.ts'
import { RECORDED, type Recorded } from './recorded-items.ts'

describe('what useChat posts', () => {
  const read = (messages: readonly object[]) => readChatRequest(ChatRequestBody.parse({ id: 's1', messages }))

  it('is a message, with its files', () => {
    const parts = [
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
      { type: 'file', mediaType: 'text/plain', url: 'https://a.test/b.txt', filename: 'b.txt' },
      { type: 'text', text: 'What is this?' },
    ]
    expect(read([{ id: 'u1', role: 'user', parts }])).toEqual({
      kind: 'message',
      inputId: 'u1',
      content: [
        { type: 'image', ref: 'data:image/png;base64,AA==', mediaType: 'image/png' },
        { type: 'file', ref: 'https://a.test/b.txt', mediaType: 'text/plain', name: 'b.txt' },
        { type: 'text', text: 'What is this?' },
      ],
    })
  })

  it('is what the user decided, and what the page ran', () => {
    const parts = [
      { type: 'step-start' },
      {
        type: 'tool-send',
        toolCallId: 'c1_1_0',
        state: 'approval-responded',
        approval: { id: 'c1_1_0:d', approved: true },
      },
      {
        type: 'tool-pay',
        toolCallId: 'c1_1_1',
        state: 'approval-responded',
        approval: { id: 'c1_1_1:e', approved: false, reason: 'Too much.' },
      },
      { type: 'tool-read_page', toolCallId: 'c1_1_2', state: 'output-available', output: { title: 'A' } },
      { type: 'tool-read_page', toolCallId: 'c1_1_3', state: 'output-error', errorText: 'No page.' },
    ]
    const metadata = { turnstep: { turnId: 'u1', after: 7 } }
    expect(read([{ id: 'answer-u1', role: 'assistant', parts, metadata }])).toEqual({
      kind: 'going-on',
      turnId: 'u1',
      after: 7,
      decisions: [
        { callId: 'c1_1_0', argumentsDigest: 'd', decision: 'approve' },
        { callId: 'c1_1_1', argumentsDigest: 'e', decision: 'deny', note: 'Too much.' },
      ],
      results: [
        { callId: 'c1_1_2', content: { title: 'A' }, isError: false },
        { callId: 'c1_1_3', content: 'No page.', isError: true },
      ],
    })
  })
})

describe('what an AG-UI client posts', () => {
  const read = (input: object) =>
    readRunInput(
      RunAgentInput.parse({ threadId: 's1', runId: 'r1', messages: [], tools: [], context: [], ...input }),
    )

  it('is the user’s messages since the assistant’s last one, under the id of the last', () => {
    const messages = [
      { id: 'u1', role: 'user', content: 'Hello?' },
      { id: 'm1_1', role: 'assistant', content: 'Hello.' },
      { id: 'u2', role: 'user', content: 'Look:' },
      {
        id: 'u3',
        role: 'user',
        content: [{ type: 'image', source: { type: 'data', value: 'AA==', mimeType: 'image/png' } }],
      },
    ]
    expect(read({ messages })).toEqual({
      kind: 'message',
      inputId: 'u3',
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image', ref: 'data:image/png;base64,AA==', mediaType: 'image/png' },
      ],
    })
  })

  it('is answers to interrupts', () => {
    const resume = [
      {
        interruptId: 'c1_1_0:d',
        status: 'resolved',
        payload: { decision: 'edit', arguments: { to: 'b' } },
      },
      { interruptId: 'm1_2:e', status: 'cancelled' },
    ]
    expect(read({ resume })).toEqual({
      kind: 'going-on',
      callIds: new Set(['c1_1_0', 'm1_2']),
      decisions: [
        { callId: 'c1_1_0', argumentsDigest: 'd', decision: 'edit', arguments: { to: 'b' } },
        { callId: 'm1_2', argumentsDigest: 'e', decision: 'deny' },
      ],
      results: [],
    })
  })

  it.each([
    ['no message', {}],
    [
      'a payload that decides nothing',
      { resume: [{ interruptId: 'c1_1_0:d', status: 'resolved', payload: true }] },
    ],
    [
      'an answer and a message at once',
      {
        messages: [{ id: 'u2', role: 'user', content: 'And?' }],
        resume: [{ interruptId: 'c1_1_0:d', status: 'cancelled' }],
      },
    ],
  ])('is refused with %s', (_, input) => {
    expect(() => read(input)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
  })
})

describe('what an OpenAI client posts', () => {
  const text = (role: CallerMessage['role'], said: string): CallerMessage => ({
    role,
    content: [{ type: 'text', text: said }],
  })
  const talk = [
    text('system', 'Be brief.'),
    text('user', 'Hello?'),
    text('assistant', 'Hello.'),
    text('user', 'And?'),
  ]

  it('is to a session that is there what is new', () => {
    expect(newContent(talk, false)).toBe('And?')
  })

  it('is to a new session all of it, what was before quoted', () => {
    expect(newContent(talk, true)).toEqual([
      {
        type: 'text',
        text: '[The conversation so far, as the caller sent it:]\nsystem: Be brief.\nuser: Hello?\nassistant: Hello.\n[What follows is new.]',
      },
      { type: 'text', text: 'And?' },
    ])
    expect(newContent(talk.slice(0, 2), true)).toEqual([
      { type: 'text', text: '[Instructions of the caller: Be brief.]' },
      { type: 'text', text: 'Hello?' },
    ])
  })

  it.each([
    [[text('assistant', 'Hello.')]],
    [[text('user', 'Hello?'), text('assistant', 'Hm.'), text('tool', 'Four.')]],
  ])('is refused without a new message of the user’s', (messages) => {
    expect(() => newContent(messages, false)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
  })

  it('is refused for fields that ask for what no agent can do', () => {
    const refused = (body: object) => () => checkSupported({ ...body })
    expect(
      refused({ tools: [], temperature: 0, n: 1, tool_choice: 'auto', response_format: { type: 'text' } }),
    ).not.toThrow()
    expect(refused({ tools: [{}] })).toThrow('tools is not supported')
    expect(refused({ n: 2 })).toThrow('n is not supported')
    expect(refused({ response_format: { type: 'json_object' } })).toThrow('response_format is not supported')
  })

  it('has instructions before what is new, in Responses', () => {
    const body = { model: 'a', input: 'Hello?', instructions: 'Be brief.' }
    expect(messagesOf(ResponseBody.parse(body))).toEqual([
      text('system', 'Be brief.'),
      text('user', 'Hello?'),
    ])
  })
})

describe('ids of answers', () => {
  it('say where the answer is, and to nobody else', () => {
    const place = { session: 's1', inputId: 'u1' }
    expect(answerIdOf('resp_', place)).toBe('resp_czEvdTE')
    expect(parseAnswerId('resp_', 'resp_czEvdTE')).toEqual(place)
  })

  it.each(['czEvdTE', 'resp_', 'resp_czEvdTE=', 'resp_czE', 'resp_czEvdTEvdTI'])(
    'are none of ours: %s',
    (id) => {
      expect(parseAnswerId('resp_', id)).toBeUndefined()
    },
  )
})

describe('offsets and cursors', () => {
  it('sort as positions do', () => {
    expect([offsetOf(9), offsetOf(10)]).toEqual(['0000000000000009', '0000000000000010'])
    expect(['-1', 'now', '0000000000000009', '9', '', '0,1'].map(parseOffset)).toEqual([
      0,
      'now',
      9,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('go forward', () => {
    const nowMs = Date.UTC(2024, 9, 9, 0, 1)
    expect(cursorAt(nowMs, undefined, 0)).toBe('3')
    expect(cursorAt(nowMs, '2', 0)).toBe('3')
    expect(cursorAt(nowMs, '3', 0)).toBe('4')
    expect(cursorAt(nowMs, '3', 1)).toBe('183')
    expect(cursorAt(nowMs, 'x', 0)).toBe('3')
  })
})

describe('where a turn came to wait', () => {
  const eventsOf = (name: Recorded): readonly Event[] =>
    RECORDED[name].flatMap((item) => (item.kind === 'event' ? [item.event] : []))

  it.each([
    ['APPROVAL_PENDING', ['c1_1_0'], 5],
    ['APPROVED', ['c1_1_0'], 5],
    ['APPROVED', [], 5],
    ['CLIENT_ANSWERED', ['c1_1_0'], 5],
    ['HELD', ['m1_1'], 5],
    ['HELD', ['c1_1_0'], undefined],
    ['LIVE', ['c1_1_0'], undefined],
    ['TWO_ASKED', ['c1_1_0', 'c1_1_1'], 6],
    ['TWO_ASKED', ['c1_1_1'], 9],
  ] as const)('is found in %s for %j', async (name, callIds, seq) => {
    expect(await pausedAt(eventsOf(name), { turnId: 'u1' }, new Set(callIds))).toBe(seq)
  })
})
