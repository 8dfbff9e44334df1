import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import type { Rule } from '../../../src/core/verify-log.ts'
import { seal, standardEvents } from '../sample-log.ts'
import { brokenRules, changed, END_OF_ONE, oneStep, spliced, turn } from './broken-log.ts'

describe('verifyLog on calls', () => {
  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    [
      'call ids are re-issued (B38)',
      ['call-id', 'call-exists', 'every-call-answered'],
      changed(3, { calls: [{ callId: 'call_0', tool: 'calculator', arguments: '{}' }] }),
    ],
    [
      'call ids are unique in the Session',
      ['call-id', 'call-exists', 'every-call-answered'],
      changed(8, { calls: [{ callId: 'c1_1_0', tool: 'current_time', arguments: '{}' }] }),
    ],
    ['a receipt answers a call', ['call-exists'], spliced(5, 0, turn.answers(1, 1, 'not-started'))],
    [
      'a receipt answers a call of its own Step',
      ['call-exists', 'key-unique'],
      spliced(10, 0, turn.answers(2, 0, 'ok', { callId: 'c1_1_0' })),
    ],
    ['a claim names the tool of its call', ['call-exists'], changed(4, { tool: 'send_mail' })],
    ['a call is claimed once', ['key-unique', 'one-claim'], spliced(5, 0, turn.claims(1, 0, 'calculator'))],
    ['a call has one receipt (B06)', ['key-unique', 'one-receipt'], spliced(6, 0, turn.answers(1, 0))],
    [
      'a late real result never follows a synthesized one',
      ['key-unique', 'one-receipt'],
      spliced(5, 0, turn.answers(1, 0, 'cancelled')),
    ],
    [
      'only an identical call shares a claim',
      ['claim-before-receipt'],
      oneStep(
        [
          turn.asks(1, ['read_file', 'grep']),
          turn.claims(1, 0, 'read_file'),
          turn.answers(1, 0),
          turn.answers(1, 1),
        ],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    [
      'a repeated call has the arguments of an earlier one',
      ['repeated-call'],
      oneStep(
        [
          turn.asks(1, ['grep', 'grep'], {
            calls: [
              { callId: 'c1_1_0', tool: 'grep', arguments: '{"a":1}' },
              { callId: 'c1_1_1', tool: 'grep', arguments: '{"a":2}' },
            ],
          }),
          turn.claims(1, 0, 'grep'),
          turn.answers(1, 0),
          turn.answers(1, 1, 'repeated'),
        ],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    ['a call is claimed before its effect', ['claim-before-receipt'], spliced(4, 1)],
    [
      'a call is claimed before its receipt',
      ['claim-before-receipt'],
      seal([...standardEvents().slice(0, 4), turn.answers(1, 0), turn.claims(1, 0, 'calculator')]),
    ],
    [
      'a call that timed out was claimed (B04)',
      ['claim-before-receipt'],
      oneStep([turn.asks(1, ['fetch']), turn.answers(1, 0, 'timed-out')], turn.end('aborted', END_OF_ONE)),
    ],
    [
      'an unknown outcome is that of a claim (B64)',
      ['claim-before-receipt'],
      oneStep(
        [turn.asks(1, ['send_mail']), turn.answers(1, 0, 'outcome-unknown')],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    [
      'what says that it did not run was not claimed',
      ['receipt-says-not-run'],
      changed(5, { kind: 'not-started', isError: true }),
    ],
    [
      'a denied call does not run',
      ['receipt-says-not-run', 'approved'],
      changed(5, { kind: 'denied', isError: true }),
    ],
    [
      'a repeated call repeats an earlier one',
      ['repeated-call'],
      seal([...standardEvents().slice(0, 4), turn.answers(1, 0, 'repeated')]),
    ],
    ['nothing of a cut output runs (B34)', ['positive-finish'], changed(3, { finish: 'length' })],
    [
      'calls of a cut output get output-cut (B34)',
      ['positive-finish'],
      oneStep(
        [turn.asks(1, ['x'], { finish: 'length' }), turn.answers(1, 0, 'not-started')],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    [
      'nothing runs after a content filter (B40)',
      ['positive-finish'],
      changed(3, { finish: 'content_filter' }),
    ],
    ['nothing runs after an unknown finish (B40)', ['positive-finish'], changed(3, { finish: 'unknown' })],
    ['nothing runs when the stream broke off', ['positive-finish'], changed(3, { finish: 'none' })],
    ['every call is answered before its Step ends (B02)', ['every-call-answered'], spliced(5, 1)],
    [
      'every call is answered (B10)',
      ['every-call-answered'],
      oneStep(
        [turn.asks(1, ['a', 'b']), turn.claims(1, 0, 'a'), turn.answers(1, 0)],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    ['a failure is flagged as one (B04)', ['error-flag'], changed(5, { kind: 'timed-out', isError: false })],
    ['a success is not flagged as an error', ['error-flag'], changed(5, { isError: true })],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
