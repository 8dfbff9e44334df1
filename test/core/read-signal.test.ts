import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInput, readInterrupt, readStop, readWake } from '../../src/core/read-signal.ts'

describe('reading an input', () => {
  it.each([
    ['text', { id: 'a', content: 'hello' }, { id: 'a', content: 'hello' }],
    ['a version', { v: 1, id: 'a', content: 'hello' }, { id: 'a', content: 'hello' }],
    ['unknown fields', { id: 'a', content: 'hello', colour: 'red' }, { id: 'a', content: 'hello' }],
    [
      'parts',
      {
        id: 'a',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', ref: 'https://example.com/a.png' },
        ],
      },
      {
        id: 'a',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', ref: 'https://example.com/a.png' },
        ],
      },
    ],
    [
      'a reference',
      { id: 'a', content: { ref: 'abc', sizeBytes: 5 } },
      { id: 'a', content: { ref: 'abc', sizeBytes: 5 } },
    ],
    [
      'all options',
      {
        id: 'a',
        content: 'x',
        origin: 'system',
        author: 'me',
        expectedTurnId: 't',
        ifStale: 'refuse',
        notify: { webhook: 'https://example.com' },
      },
      {
        id: 'a',
        content: 'x',
        origin: 'system',
        author: 'me',
        expectedTurnId: 't',
        ifStale: 'refuse',
        notify: { webhook: 'https://example.com' },
      },
    ],
    [
      'lone surrogates and NUL',
      { id: 'a', content: 'x\ud800y\u0000z' },
      { id: 'a', content: 'x\ufffdy\ufffdz' },
    ],
  ])('takes %s', (_name, payload, input) => {
    expect(readInput(payload)).toMatchObject({ kind: 'input', input })
  })

  it.each([
    ['null', null, {}],
    ['nothing', undefined, {}],
    ['a string', 'hello', {}],
    ['a list', [1], {}],
    ['no id', { content: 'x' }, {}],
    ['an id with blanks', { id: 'a b', content: 'x' }, {}],
    ['an id that is too long', { id: 'a'.repeat(129), content: 'x' }, {}],
    ['no content', { id: 'a' }, { id: 'a' }],
    ['blank content', { id: 'a', content: '  \n' }, { id: 'a' }],
    ['no parts', { id: 'a', content: [] }, { id: 'a' }],
    ['an unknown part', { id: 'a', content: [{ type: 'video', ref: 'x' }] }, { id: 'a' }],
    ['a number', { id: 'a', content: 42 }, { id: 'a' }],
    ['another version', { v: 2, id: 'a', content: 'x' }, { id: 'a' }],
    ['an unknown origin', { id: 'a', content: 'x', origin: 'moon' }, { id: 'a' }],
    ['an unusable Turn id', { id: 'a', content: 'x', expectedTurnId: '' }, { id: 'a' }],
    ['a marker of what could not be decoded', { undecodablePayload: 'why' }, {}],
  ])('refuses %s as invalid-input', (_name, payload, more) => {
    expect(readInput(payload)).toEqual({ kind: 'refused', reason: 'invalid-input', ...more })
  })

  it('refuses more than 64 KiB as too-large, counted in UTF-8', () => {
    expect(readInput({ id: 'a', content: 'ä'.repeat(33_000) })).toEqual({
      kind: 'refused',
      reason: 'too-large',
      id: 'a',
    })
    expect(readInput({ id: 'a', content: 'a'.repeat(33_000) }).kind).toBe('input')
  })

  it('never throws, whatever was sent', () => {
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        readInput(payload)
        readStop(payload)
        readInterrupt(payload)
        readWake(payload)
      }),
    )
  })
})

describe('reading a stop', () => {
  it.each([
    ['nothing', undefined, { v: 1, queue: 'withdraw', mode: 'now' }],
    ['null', null, { v: 1, queue: 'withdraw', mode: 'now' }],
    [
      'options',
      { turnId: 't', queue: 'run', mode: 'after-step' },
      { v: 1, turnId: 't', queue: 'run', mode: 'after-step' },
    ],
    ['options that it does not know', { queue: 'dance' }, undefined],
    ['a Turn that cannot be', { turnId: 'a b' }, undefined],
  ])('understands %s', (_name, payload, stop) => {
    expect(readStop(payload)).toEqual(stop)
  })
})
