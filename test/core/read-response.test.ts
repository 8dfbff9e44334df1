import { describe, expect, it } from 'vitest'
import { meaningOf } from '../../src/core/read-response.ts'

const whole = { tool: 'look', argumentsText: '{"a":1}', isWhole: true }
const broken = { tool: 'look', argumentsText: '{"a":', isWhole: false }

describe('the meaning of an answer', () => {
  it.each([
    ['stop with text', { text: 'hi', calls: [], finish: 'stop' }, { kind: 'final' }],
    ['stop with calls', { text: '', calls: [whole], finish: 'stop' }, { kind: 'calls', calls: [whole] }],
    [
      'tool_calls with calls',
      { text: 'hm', calls: [whole], finish: 'tool_calls' },
      { kind: 'calls', calls: [whole] },
    ],
    ['tool_calls without calls', { text: 'hi', calls: [], finish: 'tool_calls' }, { kind: 'final' }],
    ['stop with blanks', { text: ' \n', calls: [], finish: 'stop' }, { kind: 'empty' }],
    ['length with text', { text: 'hi', calls: [], finish: 'length' }, { kind: 'cut', calls: [] }],
    [
      'length with whole and broken calls',
      { text: '', calls: [whole, broken], finish: 'length' },
      { kind: 'cut', calls: [whole] },
    ],
    [
      'length with text and a broken call',
      { text: 'hi', calls: [broken], finish: 'length' },
      { kind: 'cut', calls: [] },
    ],
    [
      'B34: length with nothing but a broken call',
      { text: '', calls: [broken], finish: 'length' },
      { kind: 'cut', calls: [{ ...broken, argumentsText: '{}' }] },
    ],
    ['no finish', { text: 'hi', calls: [whole], finish: 'none' }, { kind: 'cut', calls: [whole] }],
    ['an unknown finish', { text: 'hi', calls: [], finish: 'unknown' }, { kind: 'cut', calls: [] }],
    [
      'B40: content_filter without text',
      { text: '', calls: [], finish: 'content_filter' },
      { kind: 'refused', calls: [] },
    ],
    [
      'a refusal with a call',
      { text: 'no', calls: [whole], finish: 'refusal' },
      { kind: 'refused', calls: [whole] },
    ],
  ] as const)('of %s', (_name, response, meaning) => {
    expect(meaningOf(response)).toEqual(meaning)
  })
})
