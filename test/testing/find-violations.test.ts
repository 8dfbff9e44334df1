import { describe, expect, it } from 'vitest'
import { findViolations } from '../../src/testing/find-violations.ts'
import type { ViolationRule } from '../../src/testing/violation.ts'

const user = { role: 'user', content: 'Add 1 and 2.' }
const calling = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'add', arguments: '{"a":1}' } })),
})
const receipt = (id: string) => ({ role: 'tool', tool_call_id: id, content: '3' })
const says = { role: 'assistant', content: 'It is 3.' }
const tool = { type: 'function', function: { name: 'add', parameters: { type: 'object', properties: {} } } }
const request = (...messages: unknown[]) => ({ model: 'm', stream: true, messages })

/** Rules and paths of what is wrong. */
const found = (body: unknown) =>
  findViolations(body).map(({ rule, path }): [ViolationRule, string] => [rule, path])

describe('findViolations', () => {
  it.each([
    { what: 'a question', body: request(user) },
    { what: 'instructions', body: request({ role: 'system', content: 'Be brief.' }, user) },
    {
      what: 'parallel calls, answered in any order',
      body: request(user, calling('a', 'b'), receipt('b'), receipt('a')),
    },
    {
      what: 'several Steps and Turns',
      body: request(user, calling('a'), receipt('a'), calling('b'), receipt('b'), says, user),
    },
    { what: 'a steer after the receipts', body: request(user, calling('a'), receipt('a'), user) },
    {
      what: 'calls beside text',
      body: request(user, { ...calling('a'), content: 'Let me see.' }, receipt('a')),
    },
    { what: 'calls beside empty text', body: request(user, { ...calling('a'), content: '' }, receipt('a')) },
    { what: 'two messages of the assistant in a row', body: request(user, says, says, user) },
    {
      what: 'parts',
      body: request({
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'data:' } },
          { type: 'file', file: { file_id: 'f' } },
        ],
      }),
    },
    {
      what: 'tools and options',
      body: { ...request(user), tools: [tool], temperature: 0, stream_options: { include_usage: true } },
    },
    {
      what: 'reasoning that is sent back',
      body: request(user, { ...calling('a'), reasoning_content: 'Hm' }, receipt('a')),
    },
  ])('accepts $what', ({ body }) => {
    expect(findViolations(body)).toEqual([])
  })

  it.each<{ what: string; body: unknown; violations: [ViolationRule, string][] }>([
    { what: 'a body that is no object', body: [], violations: [['body', '']] },
    { what: 'no model', body: { ...request(user), model: '' }, violations: [['model', 'model']] },
    {
      what: 'stream options without a stream',
      body: { ...request(user), stream: false, stream_options: {} },
      violations: [['stream', 'stream_options']],
    },
    { what: 'no messages', body: request(), violations: [['messages', 'messages']] },
    { what: 'a message that is no object', body: request('Hi'), violations: [['messages', 'messages[0]']] },
    {
      what: 'an unknown role',
      body: request({ role: 'function', content: 'x' }, user),
      violations: [['messages', 'messages[0].role']],
    },
    {
      what: 'an unanswered call at the end',
      body: request(user, calling('a', 'b'), receipt('a')),
      violations: [['unanswered-call', 'messages[1].tool_calls[1]']],
    },
    {
      what: 'B02: an unanswered call before the next message',
      body: request(user, calling('a'), user),
      violations: [['unanswered-call', 'messages[1].tool_calls[0]']],
    },
    {
      what: 'a receipt that comes too late',
      body: request(user, calling('a'), user, receipt('a')),
      violations: [
        ['unanswered-call', 'messages[1].tool_calls[0]'],
        ['misplaced-receipt', 'messages[3]'],
      ],
    },
    {
      what: 'an orphan receipt',
      body: request(user, receipt('a')),
      violations: [['orphan-receipt', 'messages[1]']],
    },
    {
      what: 'a receipt without a call id',
      body: request(user, { role: 'tool', content: '3' }),
      violations: [['orphan-receipt', 'messages[1].tool_call_id']],
    },
    {
      what: 'B06: a doubled receipt',
      body: request(user, calling('a'), receipt('a'), receipt('a')),
      violations: [['doubled-receipt', 'messages[3]']],
    },
    {
      what: 'B38: an id used twice in one message',
      body: request(user, calling('a', 'a'), receipt('a')),
      violations: [['call-id', 'messages[1].tool_calls[1].id']],
    },
    {
      what: 'B38: an id used twice in the request',
      body: request(user, calling('a'), receipt('a'), calling('a')),
      violations: [
        ['call-id', 'messages[3].tool_calls[0].id'],
        ['role-order', 'messages[3]'],
      ],
    },
    {
      what: 'an id that is too long',
      body: request(user, calling('x'.repeat(41)), user),
      violations: [['call-id', 'messages[1].tool_calls[0].id']],
    },
    {
      what: 'B28: an empty assistant message',
      body: request(user, { role: 'assistant', content: '' }, user),
      violations: [['empty-assistant-message', 'messages[1]']],
    },
    {
      what: 'B28: an assistant message without content',
      body: request(user, { role: 'assistant' }, user),
      violations: [['empty-assistant-message', 'messages[1]']],
    },
    {
      what: 'an empty list of calls',
      body: request(user, { role: 'assistant', content: 'a', tool_calls: [] }, user),
      violations: [['tool-calls', 'messages[1].tool_calls']],
    },
    {
      what: 'a call of another shape',
      body: request(user, { role: 'assistant', tool_calls: [{ id: 'a', name: 'add' }] }, user),
      violations: [['tool-calls', 'messages[1].tool_calls[0]']],
    },
    {
      what: 'a name that is none',
      body: request(
        user,
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'a b', arguments: '{}' } }],
        },
        receipt('a'),
      ),
      violations: [['tool-calls', 'messages[1].tool_calls[0].function.name']],
    },
    {
      what: 'B42: a receipt without content',
      body: request(user, calling('a'), { role: 'tool', tool_call_id: 'a' }),
      violations: [['content', 'messages[2].content']],
    },
    {
      what: 'B42: a receipt with empty content',
      body: request(user, calling('a'), { ...receipt('a'), content: '' }),
      violations: [['content', 'messages[2].content']],
    },
    {
      what: 'a user message without content',
      body: request({ role: 'user', content: null }),
      violations: [['content', 'messages[0].content']],
    },
    {
      what: 'a part of an unknown type',
      body: request({ role: 'user', content: [{ type: 'video' }] }),
      violations: [['content', 'messages[0].content[0]']],
    },
    {
      what: 'an image in a receipt',
      body: request(user, calling('a'), {
        ...receipt('a'),
        content: [{ type: 'image_url', image_url: { url: 'x' } }],
      }),
      violations: [['content', 'messages[2].content[0]']],
    },
    {
      what: 'an image without an address',
      body: request({ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }),
      violations: [['content', 'messages[0].content[0].image_url.url']],
    },
    {
      what: 'a file without data',
      body: request({ role: 'user', content: [{ type: 'file', file: {} }] }),
      violations: [['content', 'messages[0].content[0].file']],
    },
    {
      what: 'a system message in the middle',
      body: request(user, { role: 'system', content: 'x' }),
      violations: [['role-order', 'messages[1].role']],
    },
    {
      what: 'a conversation that the assistant opens',
      body: request(says, user),
      violations: [['role-order', 'messages[0].role']],
    },
    {
      what: 'a conversation that the assistant ends',
      body: request(user, says),
      violations: [['role-order', 'messages[1]']],
    },
    {
      what: 'an empty list of tools',
      body: { ...request(user), tools: [] },
      violations: [['tools', 'tools']],
    },
    {
      what: 'two tools of one name',
      body: { ...request(user), tools: [tool, tool] },
      violations: [['tools', 'tools[1].function.name']],
    },
    {
      what: 'a tool of another shape',
      body: { ...request(user), tools: [{ name: 'add' }] },
      violations: [['tools', 'tools[0]']],
    },
    {
      what: 'parameters that are no object schema',
      body: {
        ...request(user),
        tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'string' } } }],
      },
      violations: [['tools', 'tools[0].function.parameters']],
    },
    {
      what: 'B50: half of a surrogate pair',
      body: request({ role: 'user', content: 'a\ud83d' }),
      violations: [['text', 'messages[0].content']],
    },
    {
      what: 'B52: a NUL',
      body: request(user, calling('a'), { ...receipt('a'), content: 'a\0' }),
      violations: [['text', 'messages[2].content']],
    },
  ])('refuses $what', ({ body, violations }) => {
    expect(found(body)).toEqual(violations)
  })

  it.each(['', '{"a":', '{"a":1}{"a":2}', '[1]', '3', 'null', { a: 1 }, undefined])(
    'B30: refuses the arguments %j',
    (args) => {
      const call = { id: 'a', type: 'function', function: { name: 'add', arguments: args } }
      expect(found(request(user, { role: 'assistant', tool_calls: [call] }, receipt('a')))).toEqual([
        ['arguments', 'messages[1].tool_calls[0].function.arguments'],
      ])
    },
  )
})
