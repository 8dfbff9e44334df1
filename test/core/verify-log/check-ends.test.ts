import { describe, expect, it } from 'vitest'
import type { Event, NewEvent } from '../../../src/core/event.ts'
import type { Rule } from '../../../src/core/verify-log.ts'
import { MESSAGE_USAGE, SAMPLE_HAND_BACK, seal, standardEvents, usageOf } from '../sample-log.ts'
import { brokenRules, changed, END_OF_ONE, oneStep, second, spliced, turn } from './broken-log.ts'

describe('verifyLog on ends', () => {
  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    [
      'a Step after a final message claims something',
      ['step-after-final'],
      seal([
        ...standardEvents().slice(0, 15),
        turn.stepStart(4),
        turn.says(4, 'And five.'),
        turn.stepEnd(4),
        turn.end('completed', { usage: usageOf(4) }),
      ]),
    ],
    [
      'completed means a final text',
      ['completed'],
      oneStep([turn.asks(1, ['x']), turn.answers(1, 0, 'unknown-tool')], turn.end('completed', END_OF_ONE)),
    ],
    [
      'completed means a whole text',
      ['completed'],
      oneStep([turn.says(1, 'It is', { interrupted: true })], turn.end('completed', END_OF_ONE)),
    ],
    [
      'completed means a positive finish (B40)',
      ['completed'],
      oneStep([turn.says(1, 'It is', { finish: 'content_filter' })], turn.end('completed', END_OF_ONE)),
    ],
    ['completed without text needs receipts', ['completed'], oneStep([], turn.end('completed'))],
    ['completed needs a Step', ['completed'], seal([turn.start(), turn.followup(), turn.end('completed')])],
    [
      'a final text at the limit is completed',
      ['end-reason'],
      changed(15, { reason: 'max-steps', handBack: SAMPLE_HAND_BACK }),
    ],
    [
      'a final text at the token budget is completed',
      ['end-reason'],
      changed(15, { reason: 'token-budget', handBack: SAMPLE_HAND_BACK }),
    ],
    [
      'max-tokens means that the output was cut',
      ['end-reason'],
      changed(15, { reason: 'max-tokens', handBack: SAMPLE_HAND_BACK }),
    ],
    [
      'provider-refused means that the provider refused',
      ['end-reason'],
      changed(15, { reason: 'provider-refused', handBack: SAMPLE_HAND_BACK }),
    ],
    [
      'stalled means three Steps in vain',
      ['end-reason'],
      changed(15, { reason: 'stalled', handBack: SAMPLE_HAND_BACK }),
    ],
    [
      'an error says which',
      ['end-code'],
      seal([turn.start(), turn.followup(), { ...turn.end('blocked'), reason: 'error' } as NewEvent]),
    ],
    ['only an error has a code', ['end-code'], changed(15, { code: 'rate-limited' })],
    [
      'what did not complete hands back (B60)',
      ['end-hand-back'],
      seal([turn.start(), turn.followup(), { ...turn.end('completed'), reason: 'aborted' } as NewEvent]),
    ],
    ['what completed hands nothing back', ['end-hand-back'], changed(15, { handBack: SAMPLE_HAND_BACK })],
    ['a cost is a whole number', ['end-cost'], changed(15, { cost: 1.5 })],
    ['a cost is not negative', ['end-cost'], changed(15, { cost: -1 })],
    [
      'a token budget is spent by something',
      ['end-reason'],
      seal([turn.start(), turn.followup(), turn.end('token-budget')]),
    ],
    [
      'a cost budget needs a price',
      ['end-reason'],
      oneStep(
        [turn.asks(1, ['x']), turn.answers(1, 0, 'unknown-tool')],
        turn.end('cost-budget', { ...END_OF_ONE, cost: null }),
      ),
    ],
    ["only a budget may be the Session's", ['end-scope'], changed(15, { scope: 'session' })],
    [
      'a spent budget of the Session allows no further Step',
      ['session-budget'],
      seal([
        turn.start(),
        turn.followup(),
        turn.end('token-budget', { scope: 'session' }),
        second.start(),
        second.followup(),
        second.stepStart(1),
        second.says(1, 'Here.'),
        second.stepEnd(1),
        second.end('completed', END_OF_ONE),
      ]),
    ],
    ['usage is the sum over messages', ['end-usage'], changed(15, { usage: MESSAGE_USAGE })],
    ['usage counts lost attempts', ['end-usage'], spliced(13, 0, turn.lost(3, 1))],
    [
      'a sum with an estimate in it says so (B62)',
      ['end-usage'],
      changed(13, { usage: { ...MESSAGE_USAGE, estimated: true } }),
    ],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
