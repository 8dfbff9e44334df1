import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalArguments, canonicalJson } from '../../src/core/canonical-json.ts'

describe('canonicalJson', () => {
  it.each<[name: string, value: unknown, text: string]>([
    ['keys are sorted, also inside', { b: { d: 1, c: 2 }, a: [] }, '{"a":[],"b":{"c":2,"d":1}}'],
    [
      'keys are sorted by code unit, not as numbers',
      { 10: 'x', 9: 'y', Z: 1, a: 2 },
      '{"10":"x","9":"y","Z":1,"a":2}',
    ],
    ['the order of a list is kept', [3, 1, [2]], '[3,1,[2]]'],
    ['numbers have one form', [1.0, 1e21, 1e-7, -0], '[1,1e+21,1e-7,0]'],
    ['what is no number is null', [Number.NaN, Number.POSITIVE_INFINITY], '[null,null]'],
    ['strings are escaped as in JSON', 'a"\n\u2028\ud83d', '"a\\"\\n\u2028\\ud83d"'],
    ['undefined members are left out', { a: undefined, b: () => 1, c: null }, '{"c":null}'],
    ['undefined items are null', [undefined, 1], '[null,1]'],
    ['nothing is null', undefined, 'null'],
    ['toJSON is honoured', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    [
      'a member called __proto__ is one',
      JSON.parse('{"__proto__":{"b":1,"a":2}}'),
      '{"__proto__":{"a":2,"b":1}}',
    ],
    ['the same value may stand twice', [{ a: 1 }, { a: 1 }], '[{"a":1},{"a":1}]'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  it('allows one object in two places, and refuses a cycle', () => {
    const shared = { a: 1 }
    const cycle: unknown[] = []
    cycle.push(cycle)
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
    expect(() => canonicalJson(cycle)).toThrow(TypeError)
  })

  it('refuses a bigint', () => {
    expect(() => canonicalJson({ a: 1n })).toThrow(TypeError)
  })

  it('does not run out of stack on deep nesting', () => {
    const depth = 200_000
    const text = '['.repeat(depth) + ']'.repeat(depth)
    expect(canonicalJson(nest(depth))).toBe(text)
  })

  it('is JSON of an equal value, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(canonicalJson(reversed(value))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('canonicalArguments', () => {
  it.each([
    ['', '{}'],
    [' \n', '{}'],
    [' { "b" : 1.0, "a": [ ] } ', '{"a":[],"b":1}'],
    [' {"a": ', '{"a":'],
    ['{}{}', '{}{}'],
    ['null', 'null'],
  ])('of %j is %j', (argumentsText, text) => {
    expect(canonicalArguments(argumentsText)).toBe(text)
  })
})

function nest(depth: number): unknown {
  let value: unknown[] = []
  for (let level = 1; level < depth; level += 1) value = [value]
  return value
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}
