import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PrintableStream } from '../../src/core/printable-stream.ts'
import { makePrintable } from '../../src/core/printable-text.ts'

function through(pieces: readonly string[]): string {
  const stream = new PrintableStream()
  return pieces.map((piece) => stream.write(piece)).join('') + stream.end()
}

describe('PrintableStream', () => {
  it.each([
    ['an escape sequence', ['a\x1b[1;3', '1mred\x1b', '[0m'], 'ared'],
    ['a title', ['\x1b]0;pw', 'ned\x07text'], 'text'],
    ['a title that never ends', [`a\x1b]0;${'x'.repeat(3_000)}`, 'b'], `a0;${'x'.repeat(3_000)}b`],
    ['a line end', ['a\r', '\nb\r', 'c\r'], 'a\r\nb\nc\n'],
    ['a surrogate pair', ['a\ud83d', '\ude00b'], 'a😀b'],
    ['half a pair', ['a\ud83d', 'b\ude00'], 'a\uFFFDb\uFFFD'],
  ])('treats %s in pieces as it treats it whole', (_, pieces, text) => {
    expect(through(pieces)).toBe(text)
  })

  it('gives what makePrintable gives of the whole, however it is cut', () => {
    const signs = [
      '\x1b',
      '\x9b',
      '\x9d',
      '[',
      ']',
      '\\',
      '\x07',
      '\x9c',
      '\ud83d',
      '\ude00',
      'm',
      '1',
      ' ',
      '\r',
      '\n',
    ]
    const pieces = fc.array(fc.array(fc.constantFrom(...signs), { maxLength: 12 }), { maxLength: 12 })
    const long = fc.constantFrom('', 'x'.repeat(1_999), 'x'.repeat(2_001))
    fc.assert(
      fc.property(pieces, long, (given, filling) => {
        const texts = given.map((characters, index) => characters.join('') + (index % 3 === 0 ? filling : ''))
        expect(through(texts)).toBe(makePrintable(texts.join('')))
      }),
      { numRuns: 500 },
    )
  })
})
