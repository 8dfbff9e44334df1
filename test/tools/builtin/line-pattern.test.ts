import { describe, expect, it } from 'vitest'
import { compileLinePattern } from '../../../src/tools/builtin/line-pattern.ts'

describe('compileLinePattern', () => {
  it.each([
    ['sum', 'the sum of all'],
    ['function \\w+\\(', 'function sum(a)'],
    ['^import', "import 'x'"],
    ['TODO|FIXME', '// FIXME later'],
    ['(?i)todo', '// TODO later'],
    ['[a-f0-9]{8}', 'id deadbeef'],
    ['colou?r', 'color'],
    ['a.c$', 'xx abc'],
    ['\\$\\{', 'costs ${'],
    ['\\bcat\\b', 'a cat sat'],
    ['a{', 'a{'],
    ['😀+', 'x😀😀'],
  ])('finds %s in %s', (pattern, line) => {
    expect(compileLinePattern(pattern)(line)).toBe(true)
  })

  it.each([
    ['sum', 'SUM'],
    ['^import', 'reimport'],
    ['\\bcat\\b', 'concatenate'],
    ['a.c$', 'abcd'],
    ['a\\.c', 'abc'],
  ])('does not find %s in %s', (pattern, line) => {
    expect(compileLinePattern(pattern)(line)).toBe(false)
  })

  it.each(['(a', 'a)', '[a', 'a**', '*a', '(?=a)', '(a)\\1', 'a\\', '.{1000}.{1000}'])(
    'refuses %s',
    (pattern) => {
      expect(() => compileLinePattern(pattern)).toThrow(expect.objectContaining({ name: 'PatternError' }))
    },
  )

  it.each(['a*b', 'a+$b', '(a*)*b', '(a|a)*b', 'a*a*a*a*b'])(
    'never makes a hostile line cost more than its square: %s',
    (pattern) => {
      expect(answerOf(pattern, 'a'.repeat(100_000))).not.toBe(true)
    },
  )
})

function answerOf(pattern: string, line: string): boolean | 'refused' {
  try {
    return compileLinePattern(pattern)(line)
  } catch {
    return 'refused'
  }
}
