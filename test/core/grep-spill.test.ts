import { describe, expect, it } from 'vitest'
import { grepSpill, type SpillSearch } from '../../src/core/grep-spill.ts'
import { MemorySpills } from '../support/memory-spills.ts'

function pattern(source: string): SpillSearch['pattern'] {
  const expression = new RegExp(source, 'g')
  return {
    test: (text) => new RegExp(source).test(text),
    find(text, from) {
      expression.lastIndex = from
      const found = expression.exec(text)
      return found === null ? undefined : { start: found.index, end: found.index + found[0].length }
    },
  }
}

async function grep(chunks: readonly string[], source: string, more: Partial<SpillSearch> = {}) {
  const spills = new MemorySpills()
  return grepSpill(spills, spills.keep(chunks), { pattern: pattern(source), limit: 10, ...more })
}

const CHUNKS = ['one\ntw', 'o\r\nthree\nfo', 'ur\nfive']

describe('grepSpill', () => {
  it.each([
    ['in one chunk', 'n', [{ line: 1, column: 2, text: 'one' }]],
    ['across two', '^two$', [{ line: 2, column: 1, text: 'two' }]],
    ['at the end', 've$', [{ line: 5, column: 3, text: 'five' }]],
    ['nowhere', 'six', []],
  ])('finds lines %s', async (_, source, matches) => {
    expect(await grep(CHUNKS, source)).toEqual({ matches, total: matches.length })
  })

  it('finds a line once, and empty lines', async () => {
    expect(await grep(['aaa\n\nb'], 'a|^$')).toEqual({
      matches: [
        { line: 1, column: 1, text: 'aaa' },
        { line: 2, column: 1, text: '' },
      ],
      total: 2,
    })
  })

  it('shows lines around a match', async () => {
    expect(await grep(CHUNKS, 'three', { context: 1 })).toEqual({
      matches: [{ line: 3, column: 1, text: 'three', before: ['two'], after: ['four'] }],
      total: 1,
    })
    expect(await grep(CHUNKS, 'one|five', { context: 2 })).toEqual({
      matches: [
        { line: 1, column: 1, text: 'one', before: [], after: ['two', 'three'] },
        { line: 5, column: 1, text: 'five', before: ['three', 'four'], after: [] },
      ],
      total: 2,
    })
  })

  it('counts what is beyond the limit', async () => {
    const found = await grep(['x\n'.repeat(500)], 'x', { limit: 2 })
    expect(found?.matches.map(({ line }) => line)).toEqual([1, 2])
    expect(found?.total).toBe(500)
  })

  it('begins where it is told', async () => {
    expect(await grep(CHUNKS, 'o', { from: { line: 1, column: 0 } })).toMatchObject({
      matches: [{ line: 2 }, { line: 4 }],
      total: 2,
    })
  })

  it('shows what is around a match in a long line', async () => {
    const found = await grep([`${'a'.repeat(1_000)}needle${'z'.repeat(1_000)}`], 'needle')
    expect(found?.matches).toEqual([
      { line: 1, column: 1_001, text: `…${'a'.repeat(50)}needle${'z'.repeat(144)}…` },
    ])
  })

  it('finds every match in one very long line once, also where it lies across parts of it', async () => {
    const [word, filler] = ['needle', 'x'.repeat(65_533)]
    const line = `${filler}${word}${filler}${word}${filler}${word}`
    const chunks = Array.from({ length: 4 }, (_, index) => line.slice(index * 50_000, (index + 1) * 50_000))
    const found = await grep(chunks, 'needle')
    expect(found?.matches.map(({ line: at, column }) => [at, column])).toEqual([
      [1, 65_534],
      [1, 131_073],
      [1, 196_612],
    ])
    expect(found?.total).toBe(3)
  })

  it('says where to go on when it gives up', async () => {
    const found = await grep(CHUNKS, 'o', { isOver: () => true })
    expect(found).toEqual({
      matches: [{ line: 1, column: 1, text: 'one' }],
      total: 1,
      next: { line: 1, column: 0 },
    })
  })

  it('gives up and lets others go on in the middle of a chunk, too', async () => {
    let pauses = 0
    const pause = async () => {
      pauses += 1
    }
    const lines = [`${'x\n'.repeat(30_000)}`]
    expect(await grep(lines, 'x', { limit: 0, pause })).toEqual({ matches: [], total: 30_000 })
    expect(pauses).toBe(8)
    expect(await grep(lines, 'x', { limit: 0, pause, isOver: () => pauses === 9 })).toEqual({
      matches: [],
      total: 8_192,
      next: { line: 8_192, column: 0 },
    })
  })

  it('knows nothing of a spill that is not there', async () => {
    const search = { pattern: pattern('x'), limit: 1 }
    expect(await grepSpill(new MemorySpills(), 'f'.repeat(64), search)).toBe(undefined)
  })
})
