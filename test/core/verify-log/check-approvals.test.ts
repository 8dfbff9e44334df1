import { describe, expect, it } from 'vitest'
import type { Event, NewEvent } from '../../../src/core/event.ts'
import { type Rule, verifyLog } from '../../../src/core/verify-log.ts'
import { seal } from '../sample-log.ts'
import { brokenRules, END_OF_ONE, oneStep, turn } from './broken-log.ts'

const asked = turn.asks(1, ['send'], {
  calls: [{ callId: 'c1_1_0', tool: 'send', arguments: '{}', needsApproval: true }],
})
const claimed = turn.claims(1, 0, 'send', { risk: 'high' })
const end = turn.end('max-steps', END_OF_ONE)
const requested = turn.requests(1, 0, 'send')
const approved = turn.decides(1, 0, 'approve')

function step(...events: readonly NewEvent[]): Event[] {
  return oneStep([asked, ...events], end)
}

describe('verifyLog on approvals', () => {
  it.each<[what: string, events: Event[]]>([
    ['an approved call', step(requested, approved, claimed, turn.answers(1, 0), turn.audits(1, 0, 'send'))],
    ['a denied call', step(requested, turn.decides(1, 0, 'deny'), turn.answers(1, 0, 'denied'))],
    [
      'a call that a steer denied before anybody was asked',
      step(turn.decides(1, 0, 'deny', { by: 'policy', cause: 'steered' }), turn.answers(1, 0, 'denied')),
    ],
    ['a call that the end of its Turn settled', step(requested, turn.answers(1, 0, 'not-started'))],
    [
      'a call whose tool was approved for the Session',
      seal([
        turn.start(),
        turn.followup(),
        turn.stepStart(1),
        asked,
        requested,
        turn.decides(1, 0, 'approve', { scope: 'session' }),
        claimed,
        turn.answers(1, 0),
        turn.audits(1, 0, 'send'),
        turn.stepEnd(1),
        turn.stepStart(2),
        turn.asks(2, ['send']),
        turn.claims(2, 0, 'send', { risk: 'high' }),
        turn.answers(2, 0),
        turn.audits(2, 0, 'send'),
        turn.stepEnd(2),
      ]),
    ],
  ])('accepts %s', (_, events) => {
    expect(verifyLog(events)).toEqual([])
  })

  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    [
      'a call that needs approval runs only with it',
      ['approved'],
      step(requested, claimed, turn.answers(1, 0), turn.audits(1, 0, 'send')),
    ],
    [
      'a denied call does not run',
      ['approved'],
      step(requested, turn.decides(1, 0, 'deny'), claimed, turn.answers(1, 0), turn.audits(1, 0, 'send')),
    ],
    [
      'a call of high risk that nobody was asked about does not run',
      ['approved'],
      oneStep([turn.asks(1, ['send']), claimed, turn.answers(1, 0), turn.audits(1, 0, 'send')], end),
    ],
    [
      'an approval for the Session ends where something from outside comes in',
      ['approved'],
      seal([
        turn.start(),
        turn.followup(),
        turn.stepStart(1),
        asked,
        requested,
        turn.decides(1, 0, 'approve', { scope: 'session' }),
        claimed,
        turn.answers(1, 0, 'ok', { outside: true }),
        turn.audits(1, 0, 'send'),
        turn.stepEnd(1),
        turn.stepStart(2),
        turn.asks(2, ['send']),
        turn.claims(2, 0, 'send', { risk: 'high' }),
        turn.answers(2, 0),
        turn.audits(2, 0, 'send'),
        turn.stepEnd(2),
      ]),
    ],
    ['a denied receipt follows a denial', ['approved'], step(requested, turn.answers(1, 0, 'denied'))],
    [
      'a human decides only what was asked',
      ['approval-asked'],
      step(approved, claimed, turn.answers(1, 0), turn.audits(1, 0, 'send')),
    ],
    [
      'a decision is about the arguments that were asked about',
      ['approval-arguments'],
      step(
        requested,
        turn.decides(1, 0, 'approve', { argumentsDigest: 'other' }),
        claimed,
        turn.answers(1, 0),
        turn.audits(1, 0, 'send'),
      ),
    ],
    [
      'an edit says what runs instead',
      ['approval-arguments'],
      step(requested, turn.decides(1, 0, 'edit'), claimed, turn.answers(1, 0), turn.audits(1, 0, 'send')),
    ],
    [
      'a call of more than low risk leaves a record',
      ['audit'],
      step(requested, approved, claimed, turn.answers(1, 0)),
    ],
    [
      'a call that did not run leaves none',
      ['audit'],
      step(
        requested,
        turn.decides(1, 0, 'deny'),
        turn.answers(1, 0, 'denied'),
        turn.audits(1, 0, 'send', { outcome: 'denied' }),
      ),
    ],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
