import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, ToolMessage } from '../../src/core/message.ts'
import { repairTranscript } from '../../src/core/repair-transcript.ts'

const user: Message = { role: 'user', content: 'Hello.' }

function asks(...callIds: readonly string[]): Message {
  return {
    role: 'assistant',
    text: '',
    calls: callIds.map((callId) => ({ callId, tool: 'x', arguments: '{}' })),
  }
}

function says(text: string): Message {
  return { role: 'assistant', text, calls: [] }
}

function receipt(callId: string, content = 'ok'): ToolMessage {
  return { role: 'tool', callId, kind: 'ok', isError: false, content }
}

function unknown(callId: string): ToolMessage {
  return {
    role: 'tool',
    callId,
    kind: 'outcome-unknown',
    isError: true,
    content:
      'Outcome unknown: the call started, but its result was lost. It may or may not have taken effect. Verify before you try again.',
  }
}

describe('repairTranscript', () => {
  it.each<[what: string, broken: Message[], repaired: Message[]]>([
    [
      'inserts a receipt that is missing (B02)',
      [user, asks('c1'), user],
      [user, asks('c1'), unknown('c1'), user],
    ],
    ['inserts it at the end, too (B08)', [user, asks('c1')], [user, asks('c1'), unknown('c1')]],
    [
      'inserts only the missing one of several, in call order',
      [asks('a', 'b', 'c'), receipt('c'), receipt('a')],
      [asks('a', 'b', 'c'), receipt('a'), unknown('b'), receipt('c')],
    ],
    [
      'keeps the first of many receipts of a call (B06)',
      [asks('c1'), receipt('c1', 'denied'), receipt('c1', 'denied'), receipt('c1', 'late'), user],
      [asks('c1'), receipt('c1', 'denied'), user],
    ],
    ['drops an orphan', [user, receipt('c0'), asks('c1'), receipt('c1')], [user, asks('c1'), receipt('c1')]],
    [
      'drops a receipt that comes before its call',
      [receipt('c1', 'early'), asks('c1')],
      [asks('c1'), unknown('c1')],
    ],
    [
      'moves a receipt behind its call',
      [asks('c1'), user, says('Wait.'), receipt('c1')],
      [asks('c1'), receipt('c1'), user, says('Wait.')],
    ],
    [
      'moves receipts out from between each other',
      [asks('a', 'b'), receipt('b'), user, receipt('a'), user],
      [asks('a', 'b'), receipt('a'), receipt('b'), user, user],
    ],
    ['drops empty assistant messages (B28)', [user, says(''), says(' \n'), user], [user, user]],
    [
      'takes reasoning alone for empty',
      [{ role: 'assistant', text: '', reasoning: { field: 'reasoning', text: 'Hm.' }, calls: [] }],
      [],
    ],
    [
      'pairs by order when a server reuses one id, and re-issues it (B38)',
      [asks('x'), receipt('x', 'first'), asks('x'), receipt('x', 'second'), asks('x'), receipt('x', 'third')],
      [
        asks('x'),
        receipt('x', 'first'),
        asks('x_2'),
        receipt('x_2', 'second'),
        asks('x_3'),
        receipt('x_3', 'third'),
      ],
    ],
    [
      'pairs by order within one message (B38)',
      [asks('x', 'x'), receipt('x', 'first'), receipt('x', 'second')],
      [asks('x', 'x_2'), receipt('x', 'first'), receipt('x_2', 'second')],
    ],
    [
      'gives a receipt to the latest open call of its id (B38)',
      [asks('x'), user, asks('x'), receipt('x', 'second')],
      [asks('x'), unknown('x'), user, asks('x_2'), receipt('x_2', 'second')],
    ],
    [
      're-issues an id that another call has by chance',
      [asks('x'), receipt('x'), asks('x', 'x_2'), receipt('x', 'a'), receipt('x_2', 'b')],
      [asks('x'), receipt('x'), asks('x_2', 'x_2_2'), receipt('x_2', 'a'), receipt('x_2_2', 'b')],
    ],
    [
      'gives an empty id a name',
      [asks('', ''), receipt('', 'a')],
      [asks('call', 'call_2'), receipt('call', 'a'), unknown('call_2')],
    ],
  ])('%s', (_, broken, repaired) => {
    expect(repairTranscript(broken)).toEqual(repaired)
  })

  it('makes any list of messages valid for a strict provider', () => {
    fc.assert(
      fc.property(arbitraryMessages, (messages) => {
        expect(complaints(repairTranscript(messages))).toEqual([])
      }),
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(arbitraryMessages, (messages) => {
        const repaired = repairTranscript(messages)
        expect(repairTranscript(repaired)).toEqual(repaired)
      }),
    )
  })

  it('changes nothing on what is valid', () => {
    fc.assert(
      fc.property(arbitraryValidMessages, (messages) => {
        expect(complaints(messages)).toEqual([])
        expect(repairTranscript(messages)).toEqual(messages)
      }),
    )
  })

  it('loses no user message, no text and no call', () => {
    fc.assert(
      fc.property(arbitraryMessages, (messages) => {
        expect(spoken(repairTranscript(messages))).toEqual(spoken(messages))
      }),
    )
  })

  it('leaves its input as it is', () => {
    fc.assert(
      fc.property(arbitraryMessages, (messages) => {
        const before = JSON.stringify(messages)
        repairTranscript(messages)
        expect(JSON.stringify(messages)).toBe(before)
      }),
    )
  })
})

const arbitraryId = fc.constantFrom('', 'x', 'x_2', 'call', 'c1', 'c2')

const arbitraryMessages: fc.Arbitrary<Message[]> = fc.array(
  fc.oneof(
    fc.constant(user),
    fc.record({
      role: fc.constant('assistant' as const),
      text: fc.constantFrom('', ' ', 'Hello.'),
      calls: fc.array(
        fc.record({ callId: arbitraryId, tool: fc.constant('x'), arguments: fc.constant('{}') }),
        { maxLength: 3 },
      ),
    }),
    fc.record({ id: arbitraryId, content: fc.string() }).map(({ id, content }) => receipt(id, content)),
  ),
  { maxLength: 12 },
)

const arbitraryValidMessages: fc.Arbitrary<Message[]> = fc
  .array(fc.oneof(fc.constant('user'), fc.constant('text'), fc.integer({ min: 1, max: 3 })), {
    maxLength: 10,
  })
  .map((kinds) =>
    kinds.flatMap((kind, at): Message[] => {
      if (kind === 'user') return [user]
      if (typeof kind === 'string') return [says('Hello.')]
      const ids = Array.from({ length: kind }, (_, index) => `c${at}_${index}`)
      return [asks(...ids), ...ids.map((id) => receipt(id))]
    }),
  )

/** What a strict provider says against a request: the rules, written once more and differently. */
function complaints(messages: readonly Message[]): string[] {
  const found: string[] = []
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.map(({ callId }) => callId) : [],
  )
  if (new Set(ids).size < ids.length) found.push('an id is used twice')
  if (ids.includes('')) found.push('an id is empty')
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.callId)) found.push(`orphan or second receipt ${message.callId}`)
      open = open.filter((id) => id !== message.callId)
      continue
    }
    if (open.length > 0) found.push(`unanswered ${open.join()}`)
    open = message.role === 'assistant' ? message.calls.map(({ callId }) => callId) : []
    if (message.role === 'assistant' && message.text.trim() === '' && open.length === 0)
      found.push('empty message')
  }
  if (open.length > 0) found.push(`unanswered ${open.join()}`)
  return found
}

function spoken(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return ['user']
    if (message.role === 'tool') return []
    return message.text.trim() === '' && message.calls.length === 0
      ? []
      : [`${message.text} ${message.calls.length}`]
  })
}
