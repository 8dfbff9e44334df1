import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSpill } from '../../src/core/read-spill.ts'
import { TEXT_START, type TextPosition } from '../../src/core/text-position.ts'
import { MemorySpills } from '../support/memory-spills.ts'

const NOTE = { bytes: 23, lines: 4 }

async function read(
  chunks: readonly string[],
  from: TextPosition,
  limits = { lines: 100, characters: 1_000 },
) {
  const spills = new MemorySpills()
  const page = await readSpill(spills, spills.keep(chunks), { from, ...limits })
  return page && { text: page.text, ...(page.next === undefined ? {} : { next: page.next }) }
}

const CHUNKS = ['first\nsec', 'ond\nthi', 'rd\nlast']

describe('readSpill', () => {
  it('reads from the beginning to the end', async () => {
    expect(await read(CHUNKS, TEXT_START)).toEqual({ text: 'first\nsecond\nthird\nlast' })
  })

  it.each([
    ['a line in one chunk', { line: 0, column: 0 }, 'first\n', { line: 1, column: 0 }],
    ['a line across two', { line: 1, column: 0 }, 'second\n', { line: 2, column: 0 }],
    ['the middle of a line', { line: 1, column: 4 }, 'nd\n', { line: 2, column: 0 }],
    ["a line's end", { line: 1, column: 99 }, '\n', { line: 2, column: 0 }],
    ['the last line', { line: 3, column: 0 }, 'last', undefined],
    ['a line beyond the end', { line: 4, column: 0 }, '', undefined],
  ])('reads one line from %s', async (_, from, text, next) => {
    expect(await read(CHUNKS, from, { lines: 1, characters: 1_000 })).toEqual(
      next === undefined ? { text } : { text, next },
    )
  })

  it('stops within a line that is too long, and says where to go on', async () => {
    expect(await read(CHUNKS, { line: 1, column: 0 }, { lines: 10, characters: 9 })).toEqual({
      text: 'second\nth',
      next: { line: 2, column: 2 },
    })
  })

  it('splits no surrogate pair', async () => {
    expect(await read(['a😀😀'], TEXT_START, { lines: 1, characters: 4 })).toEqual({
      text: 'a😀',
      next: { line: 0, column: 3 },
    })
  })

  it('tells size and lines, and nothing of a spill that is not there', async () => {
    const spills = new MemorySpills()
    const id = spills.keep(CHUNKS)
    const query = { from: TEXT_START, lines: 1, characters: 1_000 }
    expect(await readSpill(spills, id, query)).toMatchObject({ id, ...NOTE })
    expect(await readSpill(spills, 'f'.repeat(64), query)).toBe(undefined)
  })

  it('gives the whole text, page after page', async () => {
    const chunk = fc.array(fc.constantFrom('a', '\n', '😀', '\r\n', 'word '), { minLength: 1, maxLength: 9 })
    const limits = fc.record({
      lines: fc.integer({ min: 1, max: 5 }),
      characters: fc.integer({ min: 2, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 9 }), limits, async (chunks, limit) => {
        const texts = chunks.map((characters) => characters.join(''))
        const spills = new MemorySpills()
        const id = spills.keep(texts)
        let text = ''
        for (let from: TextPosition | undefined = TEXT_START; from !== undefined; ) {
          const page = await readSpill(spills, id, { from, ...limit })
          text += page?.text ?? ''
          from = page?.next
        }
        expect(text).toBe(texts.join(''))
      }),
    )
  })
})
