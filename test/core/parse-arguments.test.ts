import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ARGUMENT_LIMITS, parseArguments } from '../../src/core/parse-arguments.ts'

describe('parseArguments', () => {
  it.each(['', ' ', '\n\t ', '\uFEFF'])('B30: takes blank text %j as no arguments', (text) => {
    expect(parseArguments(text)).toEqual({ kind: 'parsed', value: {}, canonical: '{}' })
  })

  it.each([
    ['{}', {}, '{}'],
    [' {"city":"Oslo"} \n', { city: 'Oslo' }, '{"city":"Oslo"}'],
    [
      '{"b":1,"a":{"d":[2,1],"c":null}}',
      { a: { c: null, d: [2, 1] }, b: 1 },
      '{"a":{"c":null,"d":[2,1]},"b":1}',
    ],
    ['{"text":"}{\\"}{"}', { text: '}{"}{' }, '{"text":"}{\\"}{"}'],
    ['{"id":"12345678901234567890"}', { id: '12345678901234567890' }, '{"id":"12345678901234567890"}'],
    ['{"n":9007199254740991}', { n: 9007199254740991 }, '{"n":9007199254740991}'],
    ['{"n":0.12345678901234567890}', { n: 0.12345678901234568 }, '{"n":0.12345678901234568}'],
    ['{"n":1.2345678901234567e19}', { n: 12345678901234567000 }, '{"n":12345678901234567000}'],
    ['{"n":-0}', { n: 0 }, '{"n":0}'],
    ['{"constructor":"Acme Ltd"}', { constructor: 'Acme Ltd' }, '{"constructor":"Acme Ltd"}'],
  ])('parses %s', (text, value, canonical) => {
    expect(parseArguments(text)).toEqual({ kind: 'parsed', value, canonical })
  })

  it.each([
    '{"a":1}{"a":2}',
    '{"a":1} {"a":2}',
    '{"a":1},{"a":2}',
    '{"a":"}{"}\n{"b":"{"}\n{}',
    '{"a":1}[2]',
    '{}{"cut":',
  ])('B32: reports that %s is more than one value and keeps none of them', (text) => {
    expect(parseArguments(text)).toEqual({
      kind: 'invalid',
      problem:
        'The arguments cannot be used, nothing was run: they hold more than one JSON value. Make a separate call for each, with one JSON object as its arguments.',
    })
  })

  it.each([
    ['[1]', 'they must be one JSON object, not an array'],
    ['null', 'they must be one JSON object, not null'],
    ['"{}"', 'they must be one JSON object, not a string'],
    ['7', 'they must be one JSON object, not a number'],
    ['{"a":1', 'the JSON text ends before the object is complete'],
    ['{"a":"x', 'the JSON text ends before the object is complete'],
    ['{"a":"}', 'the JSON text ends before the object is complete'],
    ['{"a":1} as asked', 'there is text after the JSON object: "as asked"'],
    ['{"id":12345678901234567890}', 'the number 12345678901234567890 cannot be kept exactly'],
    ['{"id":[-9007199254740993]}', 'the number -9007199254740993 cannot be kept exactly'],
    ['{"n":1e999}', 'they hold a number that is too large'],
    ['{"__proto__":{"admin":true}}', 'the key __proto__ is not allowed'],
    ['{"a":[{"__proto__":1}]}', 'the key __proto__ is not allowed'],
    ['{"constructor":{"prototype":{"admin":true}}}', 'the key constructor is not allowed'],
    ["{'a':1}", 'they are not JSON'],
    ['```json\n{}\n```', 'they are not JSON'],
    ['call it with city Oslo', 'they are not JSON'],
    ['}{', 'they are not JSON'],
  ])('refuses %s', (text, why) => {
    const parsed = parseArguments(text)
    expect(parsed).toEqual({ kind: 'invalid', problem: expect.stringContaining(why) })
  })

  it('leaves prototypes alone', () => {
    parseArguments('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined)
  })

  it('makes lone surrogates in keys and values well formed', () => {
    expect(parseArguments('{"a\\ud800":"x\\udc00y"}')).toEqual({
      kind: 'parsed',
      value: { 'a\uFFFD': 'x\uFFFDy' },
      canonical: '{"a\uFFFD":"x\uFFFDy"}',
    })
  })

  it('accepts nesting up to the limit and refuses more', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
    expect(parseArguments(nested(ARGUMENT_LIMITS.depth)).kind).toBe('parsed')
    expect(parseArguments(nested(ARGUMENT_LIMITS.depth + 1)).kind).toBe('invalid')
    expect(parseArguments(nested(100_000)).kind).toBe('invalid')
  })

  it('refuses text and canonical text above the limit', () => {
    expect(parseArguments(`{"a":"${'x'.repeat(ARGUMENT_LIMITS.characters)}"}`).kind).toBe('invalid')
    expect(parseArguments(`{"a":[${'1e20,'.repeat(200_000)}1]}`).kind).toBe('invalid')
  })

  it('answers every text, with a problem of bounded, well-formed text', () => {
    const pieces = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '"a"', '1', '\ud800', ' ', 'x'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          pieces.map((all) => all.join('')),
        ),
        (text) => {
          const parsed = parseArguments(text)
          if (parsed.kind === 'invalid') {
            expect(parsed.problem.length).toBeLessThanOrEqual(500)
            expect(parsed.problem.isWellFormed()).toBe(true)
          }
        },
      ),
    )
  })

  it('gives the same value again from its canonical text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: 'binary' })), (object) => {
        const first = parseArguments(JSON.stringify(object))
        if (first.kind === 'invalid') return
        expect(parseArguments(first.canonical)).toEqual(first)
      }),
    )
  })
})
