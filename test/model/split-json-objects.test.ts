import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitJsonObjects } from '../../src/model/split-json-objects.ts'

describe('splitJsonObjects', () => {
  it.each([
    ['{}{}', ['{}', '{}']],
    ['{"a":{"b":[1]}} {"c":"}{"}', ['{"a":{"b":[1]}}', '{"c":"}{"}']],
    ['\n{"a":1}\n{"a":2}\n', ['{"a":1}', '{"a":2}']],
    ['{"a":"\\\\"}{"b":"\\""}', ['{"a":"\\\\"}', '{"b":"\\""}']],
  ])('B32: splits %j', (text, objects) => {
    expect(splitJsonObjects(text)).toEqual(objects)
  })

  it.each([
    '',
    '{}',
    '{"a":1',
    '{"a":1}{"a":',
    '{"a":1},{"a":2}',
    '[{"a":1},{"a":2}]',
    '{"a":1}[2]',
    '{a:1}{b:2}',
    '{"a":1}{"a":2}x',
    '1 2',
  ])('B32: leaves %j alone', (text) => {
    expect(splitJsonObjects(text)).toBeUndefined()
  })

  it('B32: gives back exactly the objects that were put together', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(
        fc.array(object, { minLength: 2, maxLength: 5 }),
        fc.constantFrom('', ' ', '\n'),
        (objects, space) => {
          expect(splitJsonObjects(objects.join(space))).toEqual(objects)
        },
      ),
    )
  })
})
