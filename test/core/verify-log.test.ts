import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeTurnEvents } from '../../src/core/close-turn-events.ts'
import type { Event } from '../../src/core/event.ts'
import { advanceHead, EMPTY_HEAD } from '../../src/core/log-head.ts'
import { assertLog, verifyLog } from '../../src/core/verify-log.ts'
import { arbitraryOpenTurn } from './arbitrary-log.ts'
import { refused, seal, standardEvents, usageOf, withdrawn } from './sample-log.ts'
import { changed, END_OF_ONE, oneStep, turn } from './verify-log/broken-log.ts'

const valid: readonly [name: string, events: Event[]][] = [
  ['the empty log', []],
  ['the standard example', seal(standardEvents())],
  ['two Turns', seal([...standardEvents(), ...standardEvents('u2', 2)])],
  [
    'a Turn opened by steers alone',
    seal([
      turn.start(['u1', 's1']),
      turn.steer('u1'),
      turn.steer('s1'),
      turn.stepStart(1),
      turn.says(1, 'Hello.'),
      turn.stepEnd(1),
      turn.end('completed', {
        ...END_OF_ONE,
        inputs: [
          { id: 'u1', fate: 'claimed' },
          { id: 's1', fate: 'claimed' },
        ],
      }),
    ]),
  ],
  [
    'steers before the followup at the opening, and one that joins a Step',
    seal([
      withdrawn('w0'),
      turn.start(['s1', 'u1']),
      turn.steer('s1'),
      turn.followup(),
      turn.stepStart(1),
      turn.says(1, 'Hello.'),
      turn.stepEnd(1),
      turn.stepStart(2),
      turn.steer('s2', 2),
      refused('r1'),
      turn.says(2, 'Yes?'),
      turn.stepEnd(2),
      withdrawn('w1'),
      turn.end('completed', {
        usage: usageOf(2),
        inputs: [
          { id: 's1', fate: 'claimed' },
          { id: 'u1', fate: 'claimed' },
          { id: 's2', fate: 'claimed' },
          { id: 'w1', fate: 'withdrawn' },
          { id: 'r1', fate: 'refused' },
        ],
      }),
    ]),
  ],
  [
    'receipts in the order of commits, some for calls that cannot run',
    oneStep(
      [
        turn.asks(1, ['read_file', 'read_file', 'nonsense', 'read_file', 'read_file']),
        turn.answers(1, 2, 'unknown-tool'),
        turn.claims(1, 1, 'read_file'),
        turn.claims(1, 0, 'read_file'),
        turn.answers(1, 1),
        turn.answers(1, 0, 'failed'),
        turn.answers(1, 3, 'repeated'),
        turn.decides(1, 4, 'deny', { by: 'policy', cause: 'replanned' }),
        turn.answers(1, 4, 'denied'),
      ],
      turn.end('max-steps', END_OF_ONE),
    ),
  ],
  [
    'identical calls that share one execution',
    oneStep(
      [
        turn.asks(1, ['read_file', 'read_file'], {
          calls: [
            { callId: 'c1_1_0', tool: 'read_file', arguments: '{"a":1,"b":2}' },
            { callId: 'c1_1_1', tool: 'read_file', arguments: '{"b": 2, "a": 1}' },
          ],
        }),
        turn.claims(1, 0, 'read_file'),
        turn.answers(1, 0),
        turn.answers(1, 1),
      ],
      turn.end('max-steps', END_OF_ONE),
    ),
  ],
  [
    'an abort with partial text',
    oneStep([turn.says(1, 'It is', { finish: 'none', interrupted: true })], turn.end('aborted', END_OF_ONE)),
  ],
  ['an abort before anything was said', oneStep([], turn.end('aborted'))],
  ['an abort before the first Step', seal([turn.start(), turn.followup(), turn.end('aborted')])],
  [
    'an abort in the middle of tools',
    oneStep(
      [
        turn.asks(1, ['read_file', 'send_mail', 'read_file']),
        turn.claims(1, 0, 'read_file'),
        turn.claims(1, 1, 'send_mail'),
        turn.answers(1, 0, 'cancelled'),
        turn.answers(1, 1, 'outcome-unknown'),
        turn.answers(1, 2, 'not-started'),
      ],
      turn.end('aborted', END_OF_ONE),
    ),
  ],
  [
    'an error',
    oneStep(
      [turn.lost(1, 1)],
      turn.end('error', { usage: { inputTokens: 3, outputTokens: 0, estimated: true } }),
    ),
  ],
  [
    'a block',
    seal([
      turn.start(),
      turn.followup('u1', { judged: 'pending' }),
      turn.judgesInput('u1', 'block'),
      turn.end('blocked'),
    ]),
  ],
  [
    'a refusal with a text',
    oneStep([turn.says(1, 'No.', { finish: 'refusal' })], turn.end('provider-refused', END_OF_ONE)),
  ],
  ['a refusal without a text', oneStep([], turn.end('provider-refused'))],
  ['a Turn that ran out of time', oneStep([], turn.end('max-duration'))],
  [
    'a Turn that ran out of tokens',
    oneStep([turn.asks(1, ['x']), turn.answers(1, 0, 'unknown-tool')], turn.end('token-budget', END_OF_ONE)),
  ],
  [
    'a Turn that ran out of money',
    oneStep(
      [turn.asks(1, ['x']), turn.answers(1, 0, 'unknown-tool')],
      turn.end('cost-budget', { ...END_OF_ONE, cost: 12 }),
    ),
  ],
  [
    'a Turn whose Session had nothing left to spend',
    seal([turn.start(), turn.followup(), turn.end('token-budget', { scope: 'session' })]),
  ],
  [
    'an output that was cut, calls and all',
    oneStep(
      [turn.asks(1, ['write_file'], { finish: 'length' }), turn.answers(1, 0, 'output-cut')],
      turn.end('max-tokens', END_OF_ONE),
    ),
  ],
  [
    'a stall',
    seal([
      turn.start(),
      turn.followup(),
      turn.stepStart(1),
      turn.asks(1, ['send_mail']),
      turn.claims(1, 0, 'send_mail'),
      turn.answers(1, 0),
      turn.stepEnd(1),
      turn.stepStart(2),
      turn.asks(2, ['send_mail']),
      turn.answers(2, 0, 'repeated'),
      turn.stepEnd(2),
      turn.stepStart(3),
      turn.asks(3, ['send_mail', 'sned_mail']),
      turn.answers(3, 1, 'unknown-tool'),
      turn.answers(3, 0, 'repeated'),
      turn.stepEnd(3),
      turn.stepStart(4),
      turn.asks(4, ['send_mail']),
      turn.answers(4, 0, 'repeated'),
      turn.stepEnd(4),
      turn.end('stalled', { usage: usageOf(4) }),
    ]),
  ],
  [
    'an empty completion after receipts',
    seal([...standardEvents().slice(0, 13), turn.stepEnd(3), turn.end('completed', { usage: usageOf(2) })]),
  ],
  [
    'a Turn that went on in another run, and an attempt that was noted late',
    seal([
      ...standardEvents().slice(0, 7),
      turn.continued(),
      ...standardEvents().slice(7),
      turn.lost(3, 1, { cause: 'superseded' }),
      ...standardEvents('u2', 2),
    ]),
  ],
]

describe('verifyLog', () => {
  it.each(valid)('accepts %s', (_, events) => {
    expect(verifyLog(events, { settled: true })).toEqual([])
  })

  it.each(valid)('accepts every prefix of %s while the Session is alive', (_, events) => {
    for (let length = 0; length <= events.length; length += 1) {
      expect(verifyLog(events.slice(0, length))).toEqual([])
    }
  })

  it('sees that nothing is open in a settled log', () => {
    expect(verifyLog(seal(standardEvents().slice(0, 15)), { settled: true })).toEqual([
      { rule: 'settled', message: 'turn u1 has not ended' },
    ])
  })

  it('names the rule, the event and what is wrong, without payloads', () => {
    expect(verifyLog(changed(5, { content: 'secret \ud83d' }))).toEqual([
      { rule: 'well-formed-text', seq: 6, message: 'tool/result holds half a surrogate pair' },
    ])
  })

  it('accepts whatever closeTurnEvents makes of a Turn that broke off anywhere', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), fc.nat(), fc.string(), (events, cut, text) => {
        const open = seal(events.slice(0, 2 + (cut % (events.length - 1))))
        const closing = closeTurnEvents({
          events: open,
          turnId: 'u1',
          reason: 'error',
          code: 'terminated',
          effects: { read_file: 'read', write_file: 'idempotent', send_mail: 'once' },
          live: { text, model: 'sample', inputTokens: 7 },
          withdrawn: [{ id: 'w1', content: 'never mind' }],
          refused: [{ id: 'r1', reason: 'stale-turn' }],
        })
        expect(verifyLog(seal([...open, ...closing]), { settled: true })).toEqual([])
      }),
    )
  })

  it('accepts nothing that the fence of the store refuses', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), fc.nat(), fc.nat(), (events, from, to) => {
        const moved = [...events]
        moved.splice(to % events.length, 0, ...moved.splice(from % events.length, 1))
        let head = EMPTY_HEAD
        let isRefused = false
        for (const event of moved) {
          const next = advanceHead(head, event)
          if (next.kind === 'refused') isRefused = true
          else head = next.head
        }
        fc.pre(isRefused)
        expect(verifyLog(seal(moved))).not.toEqual([])
      }),
    )
  })
})

describe('assertLog', () => {
  it('throws every violation at once', () => {
    expect(() => assertLog(changed(5, { isError: true, content: '\ud83d' }))).toThrow(
      'The log breaks 2 rules:\n' +
        '- well-formed-text at seq 6: tool/result holds half a surrogate pair\n' +
        '- error-flag at seq 6: isError is true for ok',
    )
  })

  it('says nothing of a log that is well', () => {
    expect(assertLog(seal(standardEvents()), { settled: true })).toBeUndefined()
  })
})
