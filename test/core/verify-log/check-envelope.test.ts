import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import type { Rule } from '../../../src/core/verify-log.ts'
import { seal, standardEvents } from '../sample-log.ts'
import { brokenRules, changed, turn } from './broken-log.ts'

describe('verifyLog on envelope', () => {
  it.each<[promise: string, rules: readonly Rule[], events: Event[]]>([
    [
      'seq starts at 1',
      ['seq-gapless'],
      seal(standardEvents()).map((event) => ({ ...event, seq: event.seq + 1 })),
    ],
    [
      'seq has no gap',
      ['seq-gapless'],
      seal(standardEvents()).map((event) => ({ ...event, seq: event.seq > 9 ? event.seq + 1 : event.seq })),
    ],
    ['a key is there once', ['key-unique'], seal([...standardEvents(), turn.lost(1, 1), turn.lost(1, 1)])],
    ['a key says what its payload says', ['key-derived'], changed(2, { key: 'turn:u1:step:2:begin' })],
    ['the key of a call is that of its place', ['key-derived'], changed(4, { key: 'turn:u1:call:1.1:call' })],
    [
      'payloads are of a version that is known',
      ['payload-version'],
      seal(standardEvents()).map((event) => (event.seq === 3 ? { ...event, v: 2 as 1 } : event)),
    ],
    ['text is well formed (B50)', ['well-formed-text'], changed(5, { content: 'half a face: \ud83d' })],
    [
      'so are texts deeper down',
      ['well-formed-text'],
      changed(1, { content: [{ type: 'text', text: '\ude00' }] }),
    ],
  ])('sees that %s', (_, rules, events) => {
    expect(brokenRules(events)).toEqual(rules)
  })
})
