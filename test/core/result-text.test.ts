import { describe, expect, it } from 'vitest'
import { ResultText, type ResultTextOptions } from '../../src/core/result-text.ts'
import { MemorySpills } from '../support/memory-spills.ts'

function open(more: Partial<ResultTextOptions> & { readonly quotaBytes?: number } = {}) {
  const spills = new MemorySpills(more.quotaBytes)
  const spill = { aboveBytes: 10_000, open: () => Promise.resolve(spills.begin()) }
  return { spills, text: new ResultText({ spill, ...more }) }
}

async function finish(pieces: readonly string[], more: Parameters<typeof open>[0] = {}) {
  const { spills, text } = open(more)
  for (const piece of pieces) await text.write(piece)
  return { ...(await text.end()), spills }
}

describe('ResultText', () => {
  it('keeps short text as it is', async () => {
    const { content, spill, spills } = await finish(['All ', 'good.\n'])
    expect({ content, spill, fates: spills.fates }).toEqual({
      content: 'All good.\n',
      spill: undefined,
      fates: [],
    })
  })

  it.each([[[]], [['', '']], [[' \n', '\t']], [[' '.repeat(20_000)]]])(
    'says of nothing but white space that there is no output',
    async (pieces) => {
      const { content, spills } = await finish(pieces)
      expect(content).toBe('(no output)')
      expect(spills.fates).not.toContain('kept')
    },
  )

  it('cuts longer text without keeping it', async () => {
    const { content, spills } = await finish(['x'.repeat(10_000)])
    expect(content).toBe(`${'x'.repeat(1_500)}\n[… 7000 characters omitted …]\n${'x'.repeat(1_500)}`)
    expect(spills.fates).toEqual([])
  })

  it('B48: keeps large text whole, and says where and how to read it', async () => {
    const line = `${'x'.repeat(99)}\n`
    const { content, spill, spills } = await finish(Array.from({ length: 3_000 }, () => line))
    expect(spill).toEqual({ id: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 300_000, lines: 3_000 })
    expect(content).toContain('\n[… 297000 characters omitted …]\n')
    expect(content.slice(content.lastIndexOf('\n['))).toBe(
      `\n[The whole output is kept as spill ${spill?.id}: 300000 bytes, 3000 lines. grep_spill finds lines in it, read_spill reads lines of it.]`,
    )
    expect(content.length).toBeLessThanOrEqual(4_000)
    expect(spills.text(spill?.id ?? '')).toBe(line.repeat(3_000))
  })

  it('counts the spill size in bytes', async () => {
    expect((await finish(['é'.repeat(5_000)])).spills.fates).toEqual([])
    expect((await finish(['é'.repeat(5_001)])).spills.fates).toEqual(['kept'])
  })

  it('keeps nothing of text that a tool may show whole', async () => {
    const { content, spills } = await finish(['x'.repeat(15_000)], { maxCharacters: 20_000 })
    expect(content).toBe('x'.repeat(15_000))
    expect(spills.fates).toEqual(['dropped'])
  })

  it('says that the quota is used up', async () => {
    const { content, spill, spills } = await finish(['x'.repeat(300_000)], { quotaBytes: 200_000 })
    expect(spill).toBe(undefined)
    expect(content).toMatch(/x\n\[The whole output was not kept: .*quota/)
    expect(spills.fates).toEqual(['dropped'])
  })

  it('B52: tells only the size of text with NUL, also when that comes late', async () => {
    const { content, spills } = await finish(['é'.repeat(100_000), 'a\0b', 'c'])
    expect(content).toBe('binary, 200004 bytes')
    expect(spills.fates).toEqual(['dropped'])
  })

  it('B50: puts a surrogate pair together that comes in two pieces', async () => {
    const { content, spill, spills } = await finish(
      Array.from({ length: 40_000 }, () => ['\ud83d', '\ude00']).flat(),
    )
    expect(content.isWellFormed()).toBe(true)
    expect(spills.text(spill?.id ?? '')).toBe('😀'.repeat(40_000))
  })

  it('redacts what is shown and what is kept, across pieces and escape sequences', async () => {
    const redact = (text: string) => text.replaceAll('SECRET', '[hidden]')
    const filler = 'some words '.repeat(30_000)
    const { content, spill, spills } = await finish(['SE', 'C\x1b[1mRET', filler, 'SECR', 'ET'], { redact })
    expect(content).toMatch(/^\[hidden\]some words/)
    expect(content).toContain('words [hidden]\n[The whole')
    expect(spills.text(spill?.id ?? '')).toBe(`[hidden]${filler}[hidden]`)
  })

  it('B54: keeps both ends of what broke off, and no spill', async () => {
    const { spills, text } = open()
    await text.write(`begin${'x'.repeat(300_000)}end`)
    const before = await text.breakOff()
    expect(before).toMatch(/^beginx+\n\[… 297008 characters omitted …\]\nx+end$/)
    expect(spills.fates).toEqual(['dropped'])
  })
})

describe('the digest of a text that is cut', () => {
  const digestOf = async (text: string): Promise<string | undefined> => {
    const result = new ResultText({})
    await result.write(text)
    return (await result.end()).digest
  }
  const around = (middle: string): string => `${'a'.repeat(3_000)}${middle}${'z'.repeat(3_000)}`

  it('tells texts apart that differ only between their ends', async () => {
    expect(await digestOf(around('1'))).not.toBe(await digestOf(around('2')))
    expect(await digestOf(around('1'))).toBe(await digestOf(around('1')))
  })

  it('is absent where the content is the whole text', async () => {
    expect(await digestOf('short')).toBeUndefined()
  })
})
