import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import type { Rule } from '../../../src/core/verify-log.ts'
import { refused, seal, standardEvents, usageOf, withdrawn } from '../sample-log.ts'
import { brokenRules, changed, second, turn } from './broken-log.ts'

describe('verifyLog on inputs', () => {
  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    ['an input has one fate', ['key-unique', 'one-fate'], seal([...standardEvents(), withdrawn('u1')])],
    [
      'a Turn is opened by an input',
      ['claims-recorded'],
      seal([turn.start([]), turn.end('aborted', { inputs: [] })]),
    ],
    [
      'what turn/start names is claimed',
      ['claims-recorded'],
      seal([turn.start(['s1', 'u1']), turn.steer('s1'), turn.stepStart(1)]),
    ],
    [
      'what is claimed at the opening is named',
      ['claims-recorded'],
      seal([turn.start(['u1']), turn.steer('s1')]),
    ],
    [
      'one followup opens a Turn',
      ['claim-lanes'],
      seal([turn.start(['u1', 'u2']), turn.followup('u1'), turn.followup('u2')]),
    ],
    [
      'steers are claimed before the followup',
      ['claim-lanes'],
      seal([turn.start(['u1', 's1']), turn.followup('u1'), turn.steer('s1')]),
    ],
    [
      'only steers join a Step',
      ['claim-lanes'],
      seal([turn.start(), turn.followup(), turn.stepStart(1), turn.followup('u2', { step: 1 })]),
    ],
    [
      'a Turn is called after its next-turn input',
      ['turn-id'],
      seal([turn.start(['u1', 'u2']), turn.steer('u1'), turn.followup('u2'), turn.stepStart(1)]),
    ],
    [
      'a Turn without one is called after its first steer',
      ['turn-id'],
      seal([turn.start(['s1', 'u1']), turn.steer('s1'), turn.steer('u1'), turn.stepStart(1)]),
    ],
    ['turn/end names every claim', ['end-inputs'], changed(15, { inputs: [] })],
    [
      'turn/end names no claim of another Turn',
      ['end-inputs'],
      seal([
        ...standardEvents(),
        second.start(),
        second.followup(),
        second.end('aborted', {
          inputs: [
            { id: 'u1', fate: 'claimed' },
            { id: 'u2', fate: 'claimed' },
          ],
        }),
      ]),
    ],
    [
      'turn/end names fates that are in the log',
      ['end-inputs'],
      changed(15, {
        inputs: [
          { id: 'u1', fate: 'claimed' },
          { id: 'w1', fate: 'withdrawn' },
        ],
      }),
    ],
    [
      'turn/end names fates as the log has them',
      ['end-inputs'],
      seal([
        refused('r1'),
        ...standardEvents().slice(0, 15),
        turn.end('completed', {
          usage: usageOf(3),
          inputs: [
            { id: 'u1', fate: 'claimed' },
            { id: 'r1', fate: 'withdrawn' },
          ],
        }),
      ]),
    ],
    [
      'turn/end names an input once',
      ['end-inputs'],
      changed(15, {
        inputs: [
          { id: 'u1', fate: 'claimed' },
          { id: 'u1', fate: 'claimed' },
        ],
      }),
    ],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
