import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CUT_NOTICE,
  deriveMessages,
  foldMessages,
  messagesOf,
  newMessageFold,
} from '../../src/core/derive-messages.ts'
import { repairTranscript } from '../../src/core/repair-transcript.ts'
import { arbitraryOpenTurn } from './arbitrary-log.ts'
import { sampleTurn, seal, standardEvents, withdrawn } from './sample-log.ts'

const turn = sampleTurn('u1')

function receipt(callId: string, content: string) {
  return { role: 'tool', callId, kind: 'ok', isError: false, content }
}

describe('deriveMessages', () => {
  it('projects the standard example', () => {
    expect(deriveMessages(seal(standardEvents()))).toEqual([
      { role: 'user', content: 'text of u1' },
      { role: 'assistant', text: '', calls: [{ callId: 'c1_1_0', tool: 'calculator', arguments: '{}' }] },
      receipt('c1_1_0', 'result of 1.0'),
      { role: 'assistant', text: '', calls: [{ callId: 'c1_2_0', tool: 'current_time', arguments: '{}' }] },
      receipt('c1_2_0', 'result of 2.0'),
      { role: 'assistant', text: 'It is four.', calls: [] },
    ])
  })

  it('tells the model that a text without calls was cut (B34)', () => {
    const cut = turn.says(1, 'It is', { finish: 'length' })
    expect(deriveMessages(seal([turn.start(), turn.followup(), turn.stepStart(1), cut])).slice(1)).toEqual([
      { role: 'assistant', text: 'It is', calls: [] },
      { role: 'user', content: CUT_NOTICE },
    ])
  })

  it('puts inputs where they were claimed and leaves out those that were not (B14)', () => {
    const messages = deriveMessages(
      seal([
        turn.start(['s0', 'u1']),
        turn.steer('s0'),
        turn.followup(),
        turn.stepStart(1),
        turn.asks(1, ['calculator']),
        withdrawn('w1'),
        turn.claims(1, 0, 'calculator'),
        turn.answers(1, 0),
        turn.stepEnd(1),
        turn.stepStart(2),
        turn.steer('s1', 2),
        turn.steer('s2', 2),
      ]),
    )
    expect(messages.map((message) => (message.role === 'user' ? message.content : message.role))).toEqual([
      'text of s0',
      'text of u1',
      'assistant',
      'tool',
      'text of s1',
      'text of s2',
    ])
  })

  it('restores the order of calls', () => {
    const events = [
      turn.asks(1, ['a', 'b', 'c']),
      turn.answers(1, 2, 'unknown-tool', { content: 'third' }),
      turn.answers(1, 1, 'ok', { content: 'second' }),
      turn.answers(1, 0, 'ok', { content: 'first' }),
    ]
    expect(deriveMessages(seal(events)).slice(1)).toEqual([
      receipt('c1_1_0', 'first'),
      receipt('c1_1_1', 'second'),
      { role: 'tool', callId: 'c1_1_2', kind: 'unknown-tool', isError: true, content: 'third' },
    ])
  })

  it('holds a receipt back until every earlier call has its own', () => {
    const events = [turn.asks(1, ['a', 'b', 'c']), turn.answers(1, 2), turn.answers(1, 0)]
    expect(deriveMessages(seal(events)).slice(1)).toEqual([receipt('c1_1_0', 'result of 1.0')])
  })

  it('holds nothing back when the Step has ended', () => {
    const events = [turn.asks(1, ['a', 'b', 'c']), turn.answers(1, 2), turn.answers(1, 0), turn.stepEnd(1)]
    expect(deriveMessages(seal(events)).slice(1)).toEqual([
      receipt('c1_1_0', 'result of 1.0'),
      receipt('c1_1_2', 'result of 1.2'),
    ])
  })

  it('drops a second receipt, and one without its call', () => {
    const events = [
      turn.asks(1, ['a', 'b']),
      turn.answers(1, 1, 'ok', { content: 'real' }),
      turn.answers(1, 1, 'ok', { content: 'late' }),
      turn.answers(1, 0),
      turn.answers(1, 0, 'ok', { content: 'late' }),
      turn.answers(2, 0),
    ]
    expect(deriveMessages(seal(events)).slice(1)).toEqual([
      receipt('c1_1_0', 'result of 1.0'),
      receipt('c1_1_1', 'real'),
    ])
  })

  it('marks what was interrupted, without its calls and reasoning', () => {
    const events = [
      turn.asks(1, ['a'], {
        text: 'It is \n',
        interrupted: true,
        reasoning: { field: 'reasoning', text: 'Hm.' },
      }),
    ]
    expect(deriveMessages(seal(events))).toEqual([
      { role: 'assistant', text: 'It is\n\n[This message was interrupted here.]', calls: [] },
    ])
  })

  it('keeps the reasoning of a whole message, under its field', () => {
    const reasoning = { field: 'reasoning_content', text: 'Two and two.' }
    expect(deriveMessages(seal([turn.says(1, 'Four.', { reasoning })]))).toEqual([
      { role: 'assistant', text: 'Four.', reasoning, calls: [] },
    ])
  })

  it('has no empty assistant message (B28)', () => {
    const reasoning = { field: 'reasoning_content', text: 'Hm.' }
    const events = [turn.says(1, ' \n', { reasoning }), turn.says(2, '', { interrupted: true })]
    expect(deriveMessages(seal(events))).toEqual([])
  })

  it('tells the hand-back as one assistant message, at the end of its Turn', () => {
    const handBack = { done: [], blockedBy: 'It was stopped.', next: 'Go on.' }
    const second = sampleTurn('u2', 2)
    const events = [
      turn.start(),
      turn.followup(),
      turn.end('aborted', { handBack }),
      second.start(),
      second.followup(),
    ]
    expect(deriveMessages(seal(events))).toEqual([
      { role: 'user', content: 'text of u1' },
      {
        role: 'assistant',
        text: '[This turn ended before it was finished.]\nDone: nothing yet.\nWhy: It was stopped.\nNext: Go on.',
        calls: [],
      },
      { role: 'user', content: 'text of u2' },
    ])
  })

  it('tells no hand-back of a Turn that completed', () => {
    const handBack = { done: [], blockedBy: 'It was stopped.', next: 'Go on.' }
    expect(deriveMessages(seal([turn.end('completed', { handBack })]))).toEqual([])
  })

  it('only grows at its end', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), (events) => {
        const log = seal(events)
        const whole = deriveMessages(log)
        for (let length = 0; length < log.length; length += 1) {
          const part = deriveMessages(log.slice(0, length))
          expect(whole.slice(0, part.length)).toEqual(part)
        }
      }),
    )
  })

  it('is valid at every Step boundary without repair', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), (events) => {
        const log = seal(events)
        for (const { type, seq } of log) {
          if (type !== 'step/start') continue
          const messages = deriveMessages(log.slice(0, seq))
          expect(repairTranscript(messages)).toEqual(messages)
        }
      }),
    )
  })
})

describe('foldMessages', () => {
  it('goes on from where it stood, with new events only', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), fc.nat(), (events, cut) => {
        const log = seal(events)
        const early = log.slice(0, cut % log.length).reduce(foldMessages, newMessageFold())
        const late = log.slice(early.seq).reduce(foldMessages, early)
        expect(messagesOf(late)).toEqual(deriveMessages(log))
        expect(late.seq).toBe(log.length)
      }),
    )
  })

  it('leaves an earlier fold as it was, so that two may go on from it', () => {
    const start = seal([turn.start(), turn.followup()]).reduce(foldMessages, newMessageFold())
    const [one, other] = seal([turn.says(1, 'One.'), turn.says(1, 'Other.')])
    if (one === undefined || other === undefined) throw new Error('two events')
    const first = foldMessages(start, one)
    const second = foldMessages(start, other)
    const hello = { role: 'user', content: 'text of u1' }
    expect(messagesOf(start)).toEqual([hello])
    expect(messagesOf(first)).toEqual([hello, { role: 'assistant', text: 'One.', calls: [] }])
    expect(messagesOf(second)).toEqual([hello, { role: 'assistant', text: 'Other.', calls: [] }])
  })
})
