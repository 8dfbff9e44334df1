import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundText, boundedText, boundText } from '../../src/core/bound-text.ts'
import { utf8Bytes } from '../../src/core/printable-text.ts'

function collect(pieces: readonly string[], limit?: number): BoundText {
  const bound = new BoundText(limit)
  for (const piece of pieces) bound.add(piece)
  return bound
}

/** Text out of few kinds of characters, so that pairs, halves of pairs and line ends meet often. */
const text = fc
  .array(fc.constantFrom('a', 'é', '€', '😀', '\ud83d', '\ude00', '\n', '\r\n'), { maxLength: 900 })
  .map((characters) => characters.join(''))

/** A text and the same in pieces, cut anywhere. */
const pieces = fc.tuple(text, fc.array(fc.nat(1_000), { maxLength: 8 })).map(([whole, cuts]) => {
  const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
  return { whole, pieces: at.slice(1).map((end, index) => whole.slice(at[index], end)) }
})

describe('BoundText', () => {
  it('leaves a text of 4,000 characters whole', () => {
    expect(boundText('x'.repeat(4_000))).toBe('x'.repeat(4_000))
  })

  it('keeps 20 % of a longer one at each end', () => {
    expect(boundText(`${'a'.repeat(2_000)}${'z'.repeat(3_000)}`)).toBe(
      `${'a'.repeat(1_000)}\n[… 3000 characters omitted …]\n${'z'.repeat(1_000)}`,
    )
  })

  it('B48: keeps at most 1,500 characters at each end of one very long line', () => {
    expect(boundText(`${'a'.repeat(500_000)}middle${'z'.repeat(500_000)}`)).toBe(
      `${'a'.repeat(1_500)}\n[… 997006 characters omitted …]\n${'z'.repeat(1_500)}`,
    )
  })

  it('B54: keeps the end of a long output, where a build says that it failed', () => {
    const output = `${'compiling\n'.repeat(10_000)}error: build failed, exit status 2`
    expect(boundText(output)).toMatch(
      /^compiling\n.+\n\[… 97034 characters omitted …\]\n.+error: build failed, exit status 2$/s,
    )
  })

  it.each([
    ['head', `x${'😀'.repeat(3_000)}`, '\n[… 3602 characters omitted …]\n'],
    ['tail', `${'😀'.repeat(3_000)}x`, '\n[… 3602 characters omitted …]\n'],
  ])('B50: splits no surrogate pair at the %s', (_, output, note) => {
    const bounded = boundText(output)
    expect(bounded.isWellFormed()).toBe(true)
    expect(bounded).not.toContain('\uFFFD')
    expect(bounded).toContain(note)
  })

  it('goes by a limit that a tool sets, lower or higher', () => {
    expect(boundText('x'.repeat(1_000), 400)).toBe(
      `${'x'.repeat(150)}\n[… 700 characters omitted …]\n${'x'.repeat(150)}`,
    )
    expect(boundText('x'.repeat(16_000), 16_000)).toBe('x'.repeat(16_000))
  })

  it('treats a limit that leaves too little to read as 200', () => {
    expect(boundText('x'.repeat(300), 1)).toBe(
      `${'x'.repeat(60)}\n[… 180 characters omitted …]\n${'x'.repeat(60)}`,
    )
  })

  it.each([
    ['nothing', '', { characters: 0, bytes: 0, lines: 0 }],
    ['a line without an end', 'a', { characters: 1, bytes: 1, lines: 1 }],
    ['a line with its end', 'a\n', { characters: 2, bytes: 2, lines: 1 }],
    ['an empty line', '\n', { characters: 1, bytes: 1, lines: 1 }],
    ['three lines', 'é\n€\r\n😀', { characters: 7, bytes: 12, lines: 3 }],
  ])('counts characters, bytes and lines of %s', (_, output, size) => {
    expect(collect([output]).size).toEqual(size)
  })

  it('gives the same however the text is cut into pieces', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 200, max: 700 }), (given, limit) => {
        const once = collect([given.whole], limit)
        const often = collect(given.pieces, limit)
        expect(often.bounded()).toEqual(once.bounded())
        expect(often.size).toEqual(once.size)
      }),
    )
  })

  it('is well formed, within its limit, and accounts for every character', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 200, max: 700 }), (given, limit) => {
        const bound = collect(given.pieces, limit)
        const bounded = bound.bounded()
        const shown = boundedText(bounded)
        const whole = given.whole.toWellFormed()
        expect(shown.isWellFormed()).toBe(true)
        expect(shown.length).toBeLessThanOrEqual(limit)
        expect(bound.size.bytes).toBe(utf8Bytes(whole))
        if (bounded.kind === 'whole') expect(bounded.text).toBe(whole)
        else {
          expect(whole.startsWith(bounded.head)).toBe(true)
          expect(whole.endsWith(bounded.tail)).toBe(true)
          expect(bounded.head.length + bounded.omitted + bounded.tail.length).toBe(whole.length)
        }
      }),
    )
  })
})
