import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLine, TerminalText } from '../../../src/cli/output/terminal-text.ts'
import { makePrintable } from '../../../src/core/printable-text.ts'

function inPieces(pieces: readonly string[]): string {
  const terminal = new TerminalText()
  return pieces.map((piece) => terminal.push(piece)).join('') + terminal.end()
}

describe('TerminalText', () => {
  it.each([
    { pieces: ['plain ', 'text'], shown: 'plain text' },
    { pieces: ['a\u001B', '[31', 'mb'], shown: 'ab' },
    { pieces: ['a\u001B]0;ti', 'tle\u0007b'], shown: 'ab' },
    { pieces: ['a\u001B]8;;x\u001B', '\\b'], shown: 'ab' },
    { pieces: ['a\r', '\nb\r', 'c'], shown: 'a\r\nb\nc' },
    { pieces: ['\uD83D', '\uDE00'], shown: '\u{1F600}' },
    { pieces: ['a\u0007b'], shown: 'a\uFFFDb' },
    { pieces: ['a\u001B'], shown: 'a' },
  ])('neutralises what is cut between pieces: $pieces', ({ pieces, shown }) => {
    expect(inPieces(pieces)).toBe(shown)
  })

  it('shows text at once that is not in question', () => {
    const terminal = new TerminalText()
    expect(terminal.push('Hello \u001B[3')).toBe('Hello ')
    expect(terminal.push('1mred')).toBe('red')
  })

  it('gives up on a sequence that does not end', () => {
    const terminal = new TerminalText()
    terminal.push('\u001B]0;')
    expect(terminal.push('x'.repeat(3_000))).toContain('xxx')
  })

  const SIGNIFICANT = [
    'a',
    '\u001B',
    '[',
    ']',
    '3',
    'm',
    '\n',
    '\u0007',
    '\u009B',
    '\uD83D',
    '\uDE00',
    '\\',
    ';',
  ] as const
  const textsOf = (...characters: readonly string[]) =>
    fc.array(fc.string({ unit: fc.constantFrom(...characters) }))

  it('shows the same however a text is cut', () => {
    fc.assert(
      fc.property(textsOf(...SIGNIFICANT), (pieces) => {
        expect(inPieces(pieces)).toBe(makePrintable(pieces.join('')))
      }),
    )
  })

  it('shows nothing that a terminal would obey, however a text is cut', () => {
    fc.assert(
      fc.property(textsOf(...SIGNIFICANT, '\r'), (pieces) => {
        const shown = inPieces(pieces)
        expect(makePrintable(shown)).toBe(shown)
      }),
    )
  })
})

describe('oneLine', () => {
  it('makes one short line of anything', () => {
    expect(oneLine('  one\n\ttwo \u001B[1mthree', 40)).toBe('one two three')
    expect(oneLine('abcdef', 4)).toBe('abc…')
    expect(oneLine('\u{1F600}\u{1F600}\u{1F600}', 2)).toBe('\u{1F600}…')
  })
})
