import { describe, expect, it } from 'vitest'
import { compileGlob, matchesGlob } from '../../../src/tools/builtin/glob.ts'
import { isIgnored, parseIgnoreFile } from '../../../src/tools/builtin/ignore-rules.ts'

function matches(pattern: string, path: string): boolean {
  return matchesGlob(compileGlob(pattern.split('/')), path.split('/'))
}

describe('matchesGlob', () => {
  it.each([
    ['a.ts', 'a.ts'],
    ['*.ts', 'a.ts'],
    ['*', 'anything'],
    ['a*c', 'ac'],
    ['a*b*c', 'aXbXbc'],
    ['?.ts', '😀.ts'],
    ['[a-c]x', 'bx'],
    ['[!a-c]x', 'dx'],
    ['[abc-]', '-'],
    ['\\*.ts', '*.ts'],
    ['**/x', 'x'],
    ['**/x', 'a/b/x'],
    ['a/**', 'a/b/c'],
    ['a/**/x', 'a/x'],
    ['a/**/b/**/x', 'a/1/b/2/3/x'],
    ['[', '['],
  ])('finds that %s matches %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true)
  })

  it.each([
    ['a.ts', 'a_ts'],
    ['*.ts', 'a.tsx'],
    ['*.ts', 'a/b.ts'],
    ['?', ''],
    ['[a-c]x', 'dx'],
    ['\\*.ts', 'a.ts'],
    ['**/x', 'a/b/y'],
    ['a/**/x', 'b/x'],
    ['a*b*c', 'aXc'],
  ])('finds that %s does not match %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(false)
  })

  it('answers a pattern of many stars without trying all ways', () => {
    expect(matches('*a'.repeat(200), `${'a'.repeat(255)}b`)).toBe(false)
    expect(matches(`${'**/a/'.repeat(60)}b`, `${'a/'.repeat(120)}c`)).toBe(false)
  })
})

describe('isIgnored', () => {
  const rules = [
    parseIgnoreFile('*.log\n!keep.log\nlogs/\n/root.txt\na/b\n\\#hash\n\\!bang\n', []),
    parseIgnoreFile('!x.log\nlocal\n', ['sub']),
  ]

  it.each([
    ['a.log', false],
    ['deep/er/a.log', false],
    ['logs', true],
    ['root.txt', false],
    ['a/b', false],
    ['#hash', false],
    ['!bang', false],
    ['sub/local', false],
  ])('leaves out %s', (path, isFolder) => {
    expect(isIgnored(rules, path.split('/'), isFolder)).toBe(true)
  })

  it.each([
    ['keep.log', false],
    ['logs', false],
    ['sub/root.txt', false],
    ['x/a/b', false],
    ['sub/x.log', false],
  ])('keeps %s', (path, isFolder) => {
    expect(isIgnored(rules, path.split('/'), isFolder)).toBe(false)
  })
})
