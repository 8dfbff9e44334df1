import { describe, expect, it } from 'vitest'
import { renderResult } from '../../../src/core/render-result.ts'
import { folderTools } from '../../../src/tools/index.ts'
import { call, tempFolder } from './temp-folder.ts'

function reading(files: Readonly<Record<string, string | Uint8Array>>) {
  const [, readFile] = folderTools({ root: tempFolder(files) })
  return (args: unknown, signal?: AbortSignal) => call(readFile, args, signal)
}

const TEN = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n'

describe('read_file', () => {
  it('reads a file from its beginning', async () => {
    expect(await reading({ 'src/a.ts': 'one\ntwo\n' })({ path: 'src/a.ts' })).toEqual({
      path: 'src/a.ts',
      totalLines: 2,
      from: 1,
      text: 'one\ntwo',
    })
  })

  it('reads the lines that are asked for and says where to go on', async () => {
    const read = reading({ 'a.txt': TEN })
    expect(await read({ path: './a.txt', from: 3, lines: 2 })).toEqual({
      path: 'a.txt',
      totalLines: 10,
      from: 3,
      text: '3\n4',
      nextFrom: 5,
    })
    expect(await read({ path: 'a.txt', from: 9, lines: 2 })).toEqual({
      path: 'a.txt',
      totalLines: 10,
      from: 9,
      text: '9\n10',
    })
    expect(await read({ path: 'a.txt', from: 99 })).toEqual({
      path: 'a.txt',
      totalLines: 10,
      from: 99,
      text: '',
    })
  })

  it.each([
    ['an empty file', '', 0, ''],
    ['a last line without an end', 'a\nb', 2, 'a\nb'],
    ['Windows line ends', 'a\r\nb\r\n', 2, 'a\nb'],
    ['blank lines', '\n\n', 2, '\n'],
    ['a byte order mark', '\uFEFFa', 1, 'a'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x62]), 1, 'a\uFFFDb'],
  ])('reads %s', async (_, content, totalLines, text) => {
    expect(await reading({ 'a.txt': content })({ path: 'a.txt' })).toEqual({
      path: 'a.txt',
      totalLines,
      from: 1,
      text,
    })
  })

  it('reads characters whole that lie across two blocks', async () => {
    // The four bytes of the emoji begin at byte 65,534.
    const lines = ['x'.repeat(65_499), `${'y'.repeat(34)}😀z`].join('\n')
    expect(await reading({ 'a.txt': lines })({ path: 'a.txt', from: 2 })).toMatchObject({
      text: `${'y'.repeat(34)}😀z`,
    })
  })

  it('returns fewer lines than asked for when they are long, so that the answer fits a receipt', async () => {
    const read = reading({ 'a.txt': `${'"'.repeat(1000)}\n`.repeat(50) })
    const answer = await read({ path: 'a.txt' })
    expect(answer).toMatchObject({ totalLines: 50, nextFrom: 7 })
    expect(renderResult(answer)).toEqual({ kind: 'text', text: JSON.stringify(answer) })
  })

  it('B54: shows the beginning of a line that is too long, and counts on', async () => {
    const read = reading({ 'a.txt': `${'😀'.repeat(100_000)}\nlast` })
    const answer = (await read({ path: 'a.txt' })) as { text: string }
    expect(answer).toMatchObject({ totalLines: 2, nextFrom: 2 })
    expect(answer.text).toBe(`${'😀'.repeat(3500)} [… the rest of this line is left out]`)
    expect(await read({ path: 'a.txt', from: 2 })).toMatchObject({ text: 'last' })
  })

  it('B52: refuses a binary file and names its size', async () => {
    const read = reading({ 'a.bin': Buffer.from([1, 0, 2]) })
    await expect(read({ path: 'a.bin' })).rejects.toThrow('"a.bin" is a binary file of 3 bytes.')
  })

  it('refuses a folder', async () => {
    await expect(reading({ 'src/a.ts': '' })({ path: 'src' })).rejects.toThrow('"src" is a folder.')
  })

  it('rejects with the reason of an abort', async () => {
    const stopped = new Error('stopped')
    await expect(reading({ 'a.txt': TEN })({ path: 'a.txt' }, AbortSignal.abort(stopped))).rejects.toBe(
      stopped,
    )
  })
})
