import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inertCode, inertText, oneLineJson, prettyJson } from '../../../src/console/view/inert-text.ts'

describe('inertText', () => {
  it('shows what would turn the direction of text, or hide in it', () => {
    expect(inertText('invoice\u202Efdp.exe')).toBe('invoice[U+202E]fdp.exe')
    expect(inertText('a\u{E0041}b')).toBe('a[U+E0041]b')
  })

  it('removes terminal sequences and control characters', () => {
    expect(inertText('\u001b[31mred\u001b[0m\u0007')).toBe('red\uFFFD')
  })

  it('leaves other scripts and emoji as they are', () => {
    expect(inertText('שלום 👩‍💻 naïve')).toBe('שלום 👩‍💻 naïve')
  })
})

describe('inertCode', () => {
  it('shows characters of no width, too', () => {
    expect(inertCode('pay\u200Bpal\u200F')).toBe('pay[U+200B]pal[U+200F]')
  })

  it('shows what a terminal would take for a command, and selectors and fillers that carry unseen text', () => {
    expect(inertCode('echo a\u001b]0;rm -rf b\u0007\rc')).toBe('echo a[U+001B]]0;rm -rf b[U+0007][U+000D]c')
    expect(inertCode('a\u{E0101}b\uFE01\u3164c\u2028d\u2800\r\n')).toBe(
      'a[U+E0101]b[U+FE01][U+3164]c[U+2028]d[U+2800]\r\n',
    )
    expect(prettyJson('"a\u{E0101}\u3164"')).toBe('"a\\udb40\\udd01\\u3164"')
  })

  it('lets nothing through that orders text anew', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(inertCode(text)).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })
})

describe('arguments', () => {
  it('are laid out over lines, in their order', () => {
    expect(prettyJson('{"b":1,"a":{"c":[]}}')).toBe('{\n  "b": 1,\n  "a": {\n    "c": []\n  }\n}')
    expect(prettyJson('{not json')).toBe('{not json')
  })

  it('have escapes for what does not show itself, and are the same value when they are read again', () => {
    expect(prettyJson('"\u202Ea\u0085\u{E0041}👩‍💻"')).toBe('"\\u202ea\\u0085\\udb40\\udc41👩\\u200d💻"')
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(JSON.parse(prettyJson(json))).toEqual(JSON.parse(json))
      }),
    )
  })

  it('fit on one line', () => {
    expect(oneLineJson('{"path":"a.txt","lines":3}')).toBe('path: "a.txt", lines: 3')
    expect(oneLineJson('{"text":"a\\nb"}', 12)).toBe('text: "a\\nb"')
    expect(oneLineJson('{"text":"abcdefgh"}', 12)).toBe('text: "abcd…')
  })
})
