import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderResult } from '../../src/core/render-result.ts'

function textOf(value: unknown): string {
  const rendered = renderResult(value)
  return rendered.kind === 'text' ? rendered.text : `UNSERIALIZABLE ${rendered.problem}`
}

const CYCLE: { self?: unknown } = {}
CYCLE.self = CYCLE

describe('renderResult', () => {
  it.each([undefined, null, ''])('B42: gives %j a text', (value) => {
    expect(renderResult(value)).toEqual({ kind: 'text', text: '(no output)' })
  })

  it.each([
    ['plain\ntext\twith\r\nline ends  ', 'plain\ntext\twith\r\nline ends  '],
    [0, '0'],
    [Number.NaN, 'NaN'],
    [false, 'false'],
    [{ text: '' }, '{"text":""}'],
    [[], '[]'],
    [{ b: 1, a: [null, undefined, 'x'] }, '{"b":1,"a":[null,null,"x"]}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Map([['a', 1]]), '{"a":1}'],
    [new Map([[1, 'a']]), '[[1,"a"]]'],
    [{ seen: new Set(['a']) }, '{"seen":["a"]}'],
    [{ ratio: Number.POSITIVE_INFINITY }, '{"ratio":"Infinity"}'],
    [{ error: new TypeError('no') }, '{"error":{"name":"TypeError","message":"no"}}'],
    [new Float64Array([1.5, 2]), '[1.5,2]'],
  ])('renders %j', (value, text) => {
    expect(textOf(value)).toBe(text)
  })

  it.each([
    ['a cycle', CYCLE],
    ['a bigint', 10n],
    ['a bigint inside', { total: [10n] }],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    [
      'a toJSON that throws',
      {
        toJSON() {
          throw new Error('not today')
        },
      },
    ],
    [
      'a getter that throws',
      {
        get secret() {
          throw new Error('not today')
        },
      },
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys() {
            throw CYCLE as Error
          },
        },
      ),
    ],
  ])('B42: reports %s as not serialisable and says that the tool has run', (_, value) => {
    expect(renderResult(value)).toEqual({
      kind: 'unserializable',
      problem: expect.stringMatching(/^The tool ran, but .+ has been done\.$/s),
    })
  })

  it.each([
    ['a Buffer', Buffer.from('hello'), 'binary, 5 bytes'],
    ['a Uint8Array', new Uint8Array(3), 'binary, 3 bytes'],
    ['an ArrayBuffer', new ArrayBuffer(8), 'binary, 8 bytes'],
    ['text with NUL', 'PNG\0é😀', 'binary, 10 bytes'],
    ['a Buffer inside', { body: Buffer.from('hello') }, '{"body":"binary, 5 bytes"}'],
    ['text with NUL inside', ['ok', 'a\0b'], '["ok","binary, 3 bytes"]'],
  ])('B52: names the size of %s instead of sending it', (_, value, text) => {
    expect(textOf(value)).toBe(text)
  })

  it.each([
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['a title', '\x1b]0;pwned\x07text', 'text'],
    ['a link', '\x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\', 'here'],
    ['an open sequence', 'a\x1b]0;never closed\nb', 'a0;never closed\nb'],
    ['an escape at the end', 'a\x1b', 'a'],
    ['a bell and a backspace', 'a\x07b\b', 'a\uFFFDb\uFFFD'],
    ['eight-bit control sequences', 'a\x9b31mb\x85', 'ab\uFFFD'],
    ['a progress bar', '10%\r20%\r\n', '10%\n20%\r\n'],
    ['DEL', 'a\x7f', 'a\uFFFD'],
  ])('B52: neutralises %s', (_, value, text) => {
    expect(textOf(value)).toBe(text)
    expect(textOf({ value })).toBe(JSON.stringify({ value: text }))
  })

  it('makes lone surrogates well formed', () => {
    expect(textOf('a\ud800b')).toBe('a\uFFFDb')
    expect(textOf({ 'k\udc00': 'a\ud800' })).toBe('{"k\\udc00":"a\uFFFD"}')
  })

  it('renders anything as well-formed, printable text', () => {
    const anything = fc.oneof(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc
        .array(
          fc.constantFrom('\x1b', '[', ']', '\x07', '\ud83d', '\ude00', '😀', 'm', '\r', '\n', '\0', ' '),
          { maxLength: 500 },
        )
        .map((all) => all.join('')),
    )
    fc.assert(
      fc.property(anything, (value) => {
        const rendered = renderResult(value)
        const text = rendered.kind === 'text' ? rendered.text : rendered.problem
        expect(text.isWellFormed()).toBe(true)
        expect(text.length).toBeGreaterThan(0)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none.
        expect(text).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/)
      }),
      { numRuns: 500 },
    )
  })
})
