import { describe, expect, it } from 'vitest'
import type { Event, NewEvent } from '../../../src/core/event.ts'
import type { Rule } from '../../../src/core/verify-log.ts'
import { seal, standardEvents, usageOf, withdrawn } from '../sample-log.ts'
import { brokenRules, changed, END_OF_ONE, second, spliced, turn } from './broken-log.ts'

describe('verifyLog on order', () => {
  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    [
      'one Turn is open at a time',
      ['one-open-turn', 'phase', 'turn-grammar'],
      seal([
        turn.start(),
        turn.followup(),
        turn.stepStart(1),
        second.start(),
        second.followup(),
        turn.stepEnd(1),
      ]),
    ],
    ['Turns count from 1', ['turn-ordinal'], seal(standardEvents('u2', 2))],
    ['Turns count without gap', ['turn-ordinal'], seal([...standardEvents(), ...standardEvents('u3', 3)])],
    ['every event carries the ordinal of its Turn', ['turn-ordinal'], changed(2, { turn: 2 })],
    ['Steps count from 1', ['step-ordinal'], seal([turn.start(), turn.followup(), turn.stepStart(2)])],
    ['Steps count without gap', ['step-ordinal'], seal([...standardEvents().slice(0, 7), turn.stepStart(3)])],
    [
      'every event of a Step carries its ordinal',
      ['step-ordinal'],
      seal([...standardEvents().slice(0, 3), turn.says(2, 'Hello.')]),
    ],
    ['an event of a Turn is inside it', ['turn-grammar'], seal([...standardEvents(), turn.continued()])],
    ['nothing comes before the Turn', ['turn-grammar'], seal([turn.followup()])],
    [
      'nothing runs after the Turn (an attempt that was asleep)',
      ['turn-grammar', 'phase', 'call-exists'],
      seal([
        ...standardEvents().slice(0, 4),
        turn.answers(1, 0, 'not-started'),
        turn.stepEnd(1),
        turn.end('aborted', END_OF_ONE),
        turn.claims(1, 0, 'calculator'),
      ]),
    ],
    [
      'a Step starts after the one before has ended',
      ['turn-grammar'],
      seal([...standardEvents().slice(0, 6), turn.stepStart(2)]),
    ],
    [
      'a Step has one message at most',
      ['key-unique', 'turn-grammar'],
      seal([...standardEvents().slice(0, 14), turn.says(3, 'Again.')]),
    ],
    [
      'a message is in a Step',
      ['turn-grammar'],
      seal([...standardEvents().slice(0, 12), turn.says(2, 'Late.')].toSpliced(8, 3)),
    ],
    ['a steer joins before the message', ['turn-grammar'], spliced(4, 0, turn.steer('s1', 1)).slice(0, 6)],
    [
      'an input without Step belongs to the opening',
      ['turn-grammar'],
      seal([...standardEvents().slice(0, 7), turn.steer('s1')]),
    ],
    [
      'calls follow the message',
      ['turn-grammar', 'phase', 'call-exists'],
      seal([...standardEvents().slice(0, 3), turn.claims(1, 0, 'calculator')]),
    ],
    ['the Step is closed before the Turn', ['turn-grammar'], spliced(14, 1)],
    [
      'an input outside Turns names no half Turn',
      ['turn-grammar'],
      seal([{ ...withdrawn('w1'), turn: 1 } as NewEvent]),
    ],
    [
      'a lost attempt is of a Step that started',
      ['attempt-lost'],
      seal([turn.start(), turn.followup(), turn.lost(1, 1)]),
    ],
    [
      'lost attempts count from 1',
      ['attempt-lost'],
      seal([turn.start(), turn.followup(), turn.stepStart(1), turn.lost(1, 0)]),
    ],
    [
      'the phases change as the table has it',
      ['turn-grammar', 'phase'],
      seal([
        ...standardEvents().slice(0, 15),
        turn.end('completed', { usage: usageOf(3) }),
        turn.stepStart(4),
      ]),
    ],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
