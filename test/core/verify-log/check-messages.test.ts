import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import type { Rule } from '../../../src/core/verify-log.ts'
import { brokenRules, END_OF_ONE, oneStep, turn } from './broken-log.ts'

describe('verifyLog on messages', () => {
  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    [
      'an empty assistant message is never stored (B28)',
      ['empty-message'],
      oneStep([turn.says(1, '  ', { interrupted: true })], turn.end('aborted', END_OF_ONE)),
    ],
    [
      'reasoning alone is empty',
      ['empty-message'],
      oneStep(
        [turn.says(1, '', { reasoning: { field: 'reasoning_content', text: 'Hm.' } })],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    [
      'an interrupted message keeps no calls',
      ['interrupted-message'],
      oneStep(
        [turn.asks(1, ['read_file'], { interrupted: true }), turn.answers(1, 0, 'not-started')],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
    [
      'an interrupted message keeps no reasoning',
      ['interrupted-message'],
      oneStep(
        [turn.says(1, 'It', { interrupted: true, reasoning: { field: 'reasoning', text: 'Hm.' } })],
        turn.end('aborted', END_OF_ONE),
      ),
    ],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
