import { describe, expect, it } from 'vitest'
import type { Event, NewEvent } from '../../../src/core/event.ts'
import { type Rule, verifyLog } from '../../../src/core/verify-log.ts'
import { MESSAGE_USAGE, seal } from '../sample-log.ts'
import { brokenRules, END_OF_ONE, oneStep, turn } from './broken-log.ts'

const pending = turn.followup('u1', { judged: 'pending' })
const rejected = turn.lost(1, 1, { cause: 'rejected', usage: MESSAGE_USAGE })

/** A Turn whose input is to be judged. */
function guarded(...events: readonly NewEvent[]): Event[] {
  return seal([turn.start(), pending, ...events])
}

describe('verifyLog on guardrails', () => {
  it.each<[what: string, events: Event[]]>([
    ['a blocked input', guarded(turn.judgesInput('u1', 'block'), turn.end('blocked'))],
    ['an input that was never judged, because the Turn was stopped', guarded(turn.end('aborted'))],
    [
      'an input that passed',
      guarded(
        turn.judgesInput('u1'),
        turn.stepStart(1),
        turn.says(1, 'Hello.'),
        turn.stepEnd(1),
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'a text that passed',
      oneStep(
        [turn.drafts(1), turn.judgesOutput(1), turn.says(1, 'Hello.')],
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'a text that was rewritten',
      oneStep(
        [turn.drafts(1), turn.judgesOutput(1, 'rewrite', { content: 'Hello.' }), turn.says(1, 'Hello.')],
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'a text that was held, and said as a human allowed it',
      oneStep(
        [
          turn.drafts(1),
          turn.holds(1),
          turn.judgesOutput(1, 'pass', { by: 'reviewer' }),
          turn.says(1, 'Hello.'),
        ],
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'a text that was held when the Turn was stopped',
      oneStep(
        [turn.drafts(1), turn.holds(1), turn.lost(1, 1, { cause: 'aborted', usage: MESSAGE_USAGE })],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    [
      'a text that was blocked',
      oneStep([turn.drafts(1), turn.judgesOutput(1, 'block'), rejected], turn.end('blocked', END_OF_ONE)),
    ],
    [
      'a text that was objected to at the step limit',
      oneStep([turn.drafts(1), turn.judgesOutput(1, 'object'), rejected], turn.end('max-steps', END_OF_ONE)),
    ],
  ])('accepts %s', (_, events) => {
    expect(verifyLog(events, { settled: true })).toEqual([])
  })

  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    [
      'an input is judged before the model is asked',
      ['input-judged'],
      guarded(turn.stepStart(1), turn.says(1, 'Hello.'), turn.stepEnd(1), turn.end('completed', END_OF_ONE)),
    ],
    [
      'an input is judged before a draft is made',
      ['input-judged'],
      guarded(turn.stepStart(1), turn.drafts(1)),
    ],
    [
      'a judgement is about an input that awaits one',
      ['judgement-subject'],
      seal([turn.start(), turn.followup(), turn.judgesInput('u1')]),
    ],
    [
      'a judgement is about a draft',
      ['judgement-subject'],
      oneStep([turn.judgesOutput(1), turn.says(1, 'Hello.')], turn.end('completed', END_OF_ONE)),
    ],
    [
      'only a draft is held',
      ['judgement-subject'],
      oneStep([turn.holds(1), turn.says(1, 'Hello.')], turn.end('completed', END_OF_ONE)),
    ],
    [
      'what is held is not said before it is judged',
      ['draft-judged'],
      oneStep([turn.drafts(1), turn.holds(1), turn.says(1, 'Hello.')], turn.end('completed', END_OF_ONE)),
    ],
    [
      'what is held is judged by somebody',
      ['held-judged'],
      oneStep(
        [turn.drafts(1), turn.holds(1), turn.judgesOutput(1), turn.says(1, 'Hello.')],
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'nobody judges what is not held',
      ['held-judged'],
      oneStep(
        [turn.drafts(1), turn.judgesOutput(1, 'pass', { by: 'reviewer' }), turn.says(1, 'Hello.')],
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'a draft is said only once it is judged',
      ['draft-judged'],
      oneStep([turn.drafts(1), turn.says(1, 'Hello.')], turn.end('completed', END_OF_ONE)),
    ],
    [
      'a draft that was objected to is not said',
      ['draft-judged'],
      oneStep(
        [turn.drafts(1), turn.judgesOutput(1, 'object'), turn.says(1, 'Hello.')],
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'what was rewritten is said as it was rewritten',
      ['draft-judged'],
      oneStep(
        [turn.drafts(1), turn.judgesOutput(1, 'rewrite', { content: 'Hello.' }), turn.says(1, 'Hell.')],
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'a draft that nobody saw is counted',
      ['draft-counted'],
      oneStep([turn.drafts(1), turn.judgesOutput(1, 'block')], turn.end('blocked')),
    ],
    [
      'blocked means that a guardrail blocked',
      ['blocked-by'],
      guarded(turn.judgesInput('u1'), turn.end('blocked')),
    ],
    [
      'a blocked Turn is not completed',
      ['blocked-by'],
      guarded(
        turn.judgesInput('u1', 'block'),
        turn.stepStart(1),
        turn.says(1, 'Hello.'),
        turn.stepEnd(1),
        turn.end('completed', END_OF_ONE),
      ),
    ],
    [
      'a draft comes before the message of its Step',
      ['turn-grammar'],
      oneStep([turn.says(1, 'Hello.'), turn.drafts(1)], turn.end('completed', END_OF_ONE)),
    ],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
