import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeTurnEvents, type TurnClosing } from '../../src/core/close-turn-events.ts'
import type { NewEvent } from '../../src/core/event.ts'
import { arbitraryOpenTurn } from './arbitrary-log.ts'
import { refused, sampleTurn, seal, standardEvents, usageOf, withdrawn } from './sample-log.ts'

const turn = sampleTurn('u1')
const PRICE = { inputUsdPerMillion: 0.25, outputUsdPerMillion: 0.4 }
const opened = [turn.start(), turn.followup(), turn.stepStart(1)]

function close(events: readonly NewEvent[], over: Partial<TurnClosing> = {}): readonly NewEvent[] {
  return closeTurnEvents({
    events: seal(events),
    turnId: 'u1',
    reason: 'aborted',
    effects: { read_file: 'read', write_file: 'idempotent', send_mail: 'once' },
    live: { text: '', model: 'sample', inputTokens: 0 },
    withdrawn: [],
    refused: [],
    ...over,
  })
}

/** An event in short. */
function brief(event: NewEvent): string {
  switch (event.type) {
    case 'tool/result':
      return `${event.callId} ${event.kind}`
    case 'input/withdrawn':
    case 'input/refused':
      return `${event.type} ${event.inputId}`
    case 'turn/end':
      return `${event.type} ${event.reason}`
    default:
      return event.type
  }
}

describe('closeTurnEvents', () => {
  it('keeps nothing of a text that was to be judged but what it cost', () => {
    const closing = close([...opened, turn.drafts(1, { attempt: 2 })])
    expect(closing.slice(0, -1)).toEqual([
      turn.lost(1, 2, { cause: 'aborted', usage: { inputTokens: 10, outputTokens: 5 } }),
      turn.stepEnd(1),
    ])
    expect(closing.at(-1)).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5 } })
  })

  it('counts a text that was rejected once', () => {
    const rejected = turn.lost(1, 1, { cause: 'rejected', usage: usageOf(1) })
    const closing = close([...opened, turn.drafts(1), turn.judgesOutput(1, 'block'), rejected])
    expect(closing.map(brief)).toEqual(['step/end', 'turn/end aborted'])
    expect(closing.at(-1)).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5 } })
  })

  it('gives every open call a receipt, in call order, by whether it started and by its effect (B02)', () => {
    const events = [
      ...opened,
      turn.asks(1, ['send_mail', 'read_file', 'write_file', 'send_mail', 'read_file', 'gone']),
      turn.claims(1, 5, 'gone'),
      turn.claims(1, 0, 'send_mail'),
      turn.claims(1, 1, 'read_file'),
      turn.claims(1, 2, 'write_file'),
      turn.answers(1, 4, 'invalid-arguments'),
    ]
    const closing = close(events)
    expect(closing.map(brief)).toEqual([
      'c1_1_0 outcome-unknown',
      'c1_1_1 cancelled',
      'c1_1_2 outcome-unknown',
      'c1_1_3 not-started',
      'c1_1_5 outcome-unknown',
      'step/end',
      'turn/end aborted',
    ])
    expect(closing[1]).toEqual({
      type: 'tool/result',
      turnId: 'u1',
      turn: 1,
      step: 1,
      key: 'turn:u1:call:1.1:result',
      callId: 'c1_1_1',
      kind: 'cancelled',
      isError: true,
      content:
        'Cancelled: the call was stopped before it returned a result. It only reads, so nothing was changed.',
    })
  })

  it('writes receipts that were decided before, but not over a call that started', () => {
    const events = [...opened, turn.asks(1, ['read_file', 'send_mail']), turn.claims(1, 1, 'send_mail')]
    const receipts = [
      ['c1_1_0', 'repeated'],
      ['c1_1_1', 'repeated'],
    ] as const
    expect(close(events, { reason: 'stalled', receipts }).map(brief)).toEqual([
      'c1_1_0 repeated',
      'c1_1_1 outcome-unknown',
      'step/end',
      'turn/end stalled',
    ])
  })

  it('keeps what the user saw of a message that was not committed', () => {
    const closing = close(opened, { live: { text: 'It is fo\ud83d', model: 'gpt', inputTokens: 40 } })
    expect(closing.map(brief)).toEqual(['assistant/message', 'step/end', 'turn/end aborted'])
    expect(closing[0]).toEqual({
      type: 'assistant/message',
      turnId: 'u1',
      turn: 1,
      step: 1,
      key: 'turn:u1:step:1:message',
      text: 'It is fo\ufffd',
      calls: [],
      finish: 'none',
      usage: { inputTokens: 40, outputTokens: 3, estimated: true },
      model: 'gpt',
      interrupted: true,
    })
    expect(closing[2]).toMatchObject({ usage: { inputTokens: 40, outputTokens: 3, estimated: true } })
  })

  it.each([
    ['nothing was shown (B28)', opened, ''],
    ['only white space was shown', opened, ' \n'],
    ['the message is there', [...opened, turn.says(1, 'It is four.')], 'It is'],
  ])('adds no partial message when %s', (_, events, text) => {
    expect(close(events, { live: { text, model: 'sample', inputTokens: 0 } }).map(brief)).toEqual([
      'step/end',
      'turn/end aborted',
    ])
  })

  it('adds no partial message when no Step is open', () => {
    const live = { text: 'It is', model: 'sample', inputTokens: 0 }
    expect(close([turn.start(), turn.followup()], { live }).map(brief)).toEqual(['turn/end aborted'])
  })

  it('completes the standard example as it is', () => {
    expect(close(standardEvents().slice(0, 14), { reason: 'completed', price: PRICE })).toEqual([
      { type: 'step/end', turnId: 'u1', turn: 1, step: 3, key: 'turn:u1:step:3:end' },
      {
        type: 'turn/end',
        turnId: 'u1',
        turn: 1,
        key: 'turn:u1:end',
        reason: 'completed',
        inputs: [{ id: 'u1', fate: 'claimed' }],
        usage: usageOf(3),
        // Each of three calls costs 2.5 and 2 micro-USD, rounded up.
        cost: 15,
      },
    ])
  })

  it('leaves a hand-back that knows what happened up to the end, and names the error', () => {
    const events = [...opened, turn.asks(1, ['send_mail']), turn.claims(1, 0, 'send_mail')]
    expect(close(events, { reason: 'error', code: 'terminated' }).at(-1)).toMatchObject({
      reason: 'error',
      code: 'terminated',
      handBack: {
        done: ['Started send_mail, outcome unknown: verify it.'],
        blockedBy: 'The turn was terminated from outside before it could end.',
        next: 'Send a message to go on from here.',
      },
    })
  })

  it('counts messages and attempts that were lost', () => {
    const events = [...opened, turn.lost(1, 1), turn.says(1, 'It is four.')]
    expect(close(events).at(-1)).toMatchObject({
      usage: { inputTokens: 13, outputTokens: 5, estimated: true },
    })
  })

  it('says what became of every input, and leaves alone what the Turn claimed', () => {
    const events = [
      turn.start(['s1', 'u1']),
      turn.steer('s1'),
      turn.followup(),
      turn.stepStart(1),
      turn.steer('s2', 1),
    ]
    const closing = close(events, {
      withdrawn: [
        { id: 'w1', content: 'never mind' },
        { id: 's2', content: 'claimed after all' },
        { id: 'w1', content: 'sent again' },
      ],
      refused: [{ id: 'r1', reason: 'inbox-full' }],
    })
    expect(closing.slice(1, 3)).toEqual([
      { ...withdrawn('w1'), turnId: 'u1', turn: 1 },
      { ...refused('r1', 'inbox-full'), turnId: 'u1', turn: 1 },
    ])
    expect(closing.at(-1)).toMatchObject({
      inputs: [
        { id: 's1', fate: 'claimed' },
        { id: 'u1', fate: 'claimed' },
        { id: 's2', fate: 'claimed' },
        { id: 'w1', fate: 'withdrawn' },
        { id: 'r1', fate: 'refused' },
      ],
    })
  })

  it('only settles inputs when the Turn has ended, outside of it', () => {
    expect(close(standardEvents(), { withdrawn: [{ id: 'w1', content: 'never mind' }] })).toEqual([
      withdrawn('w1'),
    ])
    expect(close(standardEvents())).toEqual([])
  })

  it('looks at its own Turn only', () => {
    const second = sampleTurn('u2', 2)
    const events = [
      ...standardEvents(),
      second.start(),
      second.followup(),
      second.stepStart(1),
      second.lost(1, 1),
    ]
    expect(close(events, { turnId: 'u2' }).at(-1)).toMatchObject({
      turnId: 'u2',
      turn: 2,
      inputs: [{ id: 'u2', fate: 'claimed' }],
      usage: { inputTokens: 3, outputTokens: 0, estimated: true },
    })
  })

  it('throws when the Turn is not in the log', () => {
    expect(() => close(standardEvents(), { turnId: 'u9' })).toThrow('no turn/start of turn u9')
  })

  it('appends nothing new when it runs twice, or goes on after a part of it', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), fc.nat(), fc.nat(), (events, cut, part) => {
        const open = events.slice(0, 2 + (cut % (events.length - 1)))
        const over = {
          withdrawn: [{ id: 'w1', content: 'never mind' }],
          live: { text: 'It', model: 'x', inputTokens: 1 },
        }
        const whole = close(open, over)
        const written = whole.slice(0, part % whole.length)
        const keys = new Set([...written, ...close([...open, ...written], over)].map(({ key }) => key))
        expect([...keys].sort()).toEqual(whole.map(({ key }) => key).sort())
        expect(close([...open, ...whole], over).map(({ key }) => key)).toEqual(['input:w1'])
      }),
    )
  })
})
