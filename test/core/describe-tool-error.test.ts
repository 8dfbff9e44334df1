import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeToolError } from '../../src/core/describe-tool-error.ts'

const GUIDANCE =
  'Check the arguments, try another way, or tell the user what is missing. The same call is likely to fail the same way.'

const CIRCLE = new Error('first')
CIRCLE.cause = new Error('second', { cause: CIRCLE })

class QuotaError extends Error {
  override readonly name = 'QuotaError'
  readonly guidance = 'Wait for tomorrow.'
}

describe('describeToolError', () => {
  it.each([
    ['an error', new TypeError('city is missing'), 'TypeError: city is missing'],
    ['an error without a message', new Error(''), 'Error: no message'],
    [
      'causes',
      new Error('no answer', { cause: new RangeError('port 0') }),
      'Error: no answer, caused by RangeError: port 0',
    ],
    ['a circle of causes', CIRCLE, 'Error: first, caused by Error: second'],
    [
      'the first of several errors',
      new AggregateError([new Error('a'), new Error('b')], 'all failed'),
      'AggregateError: all failed, caused by Error: a',
    ],
    ['a string', 'disk full', 'disk full'],
    ['an empty string', '', 'Error without a message'],
    ['undefined', undefined, 'Thrown value: undefined'],
    ['a bigint', 7n, 'Thrown value: 7'],
    ['a symbol', Symbol('x'), 'Thrown value: Symbol(x)'],
    ['a plain object', { message: 'from afar', code: 'E1' }, 'Object: from afar'],
    ['an object without a prototype', Object.create(null), 'Error: no message'],
    ['control characters', new Error('\x1b[31mred\x1b[0m\0'), 'Error: red\uFFFD'],
  ])('describes %s', (_, error, text) => {
    expect(describeToolError(error)).toBe(`${text}\n${GUIDANCE}`)
  })

  it('uses the guidance that the error brings', () => {
    expect(describeToolError(new QuotaError('used up'))).toBe('QuotaError: used up\nWait for tomorrow.')
  })

  it('leaves stack traces out, also from messages', () => {
    const error = new Error(
      'failed\n    at run (/home/someone/secret.ts:1:2)\n    at async Promise.all (index 0)',
    )
    expect(describeToolError(error)).toBe(`Error: failed\n${GUIDANCE}`)
  })

  it('keeps at most 500 characters of type and message', () => {
    const [text] = describeToolError(new Error(`${'😀'.repeat(5_000_000)}`)).split('\n')
    expect(text).toHaveLength(500)
    expect(text?.isWellFormed()).toBe(true)
  })

  it('survives objects that throw when they are read', () => {
    const hostile = new Proxy(new Error('x'), {
      get() {
        throw new Error('hands off')
      },
      getPrototypeOf() {
        throw new Error('hands off')
      },
    })
    expect(describeToolError(hostile)).toBe(`Error: no message\n${GUIDANCE}`)
  })

  it('survives a name and a message that are not strings', () => {
    expect(describeToolError({ name: { toString: null }, message: [1], cause: 5 })).toBe(
      `Object: no message, caused by Thrown value: 5\n${GUIDANCE}`,
    )
  })

  it('describes anything in bounded, well-formed text', () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        const text = describeToolError(thrown)
        expect(text.isWellFormed()).toBe(true)
        expect(text.length).toBeLessThanOrEqual(801)
      }),
    )
  })
})
