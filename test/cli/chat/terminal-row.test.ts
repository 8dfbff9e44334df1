import { describe, expect, it } from 'vitest'
import { EMPTY_ROW, extendRow, rowsBelow } from '../../../src/cli/chat/terminal-row.ts'

describe('extendRow', () => {
  it.each([
    { text: 'abc', row: { text: 'abc', column: 3 } },
    { text: 'abc\n', row: { text: '', column: 0 } },
    { text: 'abc\nde', row: { text: 'de', column: 2 } },
    { text: '0123456789', row: { text: '0123456789', column: 10 } },
    { text: '0123456789a', row: { text: 'a', column: 1 } },
    { text: 'a\tb', row: { text: 'a\tb', column: 9 } },
    { text: '日本語', row: { text: '日本語', column: 6 } },
    { text: '012345678日', row: { text: '日', column: 2 } },
    { text: 'e\u0301', row: { text: 'e\u0301', column: 1 } },
    { text: '\u{1F600}', row: { text: '\u{1F600}', column: 2 } },
  ])('knows the last row of $text in ten columns', ({ text, row }) => {
    expect(extendRow(EMPTY_ROW, text, 10)).toEqual(row)
  })

  it('comes to the same in pieces', () => {
    const pieces = ['01234', '5678日', 'x\n', 'yz']
    expect(pieces.reduce((row, piece) => extendRow(row, piece, 10), EMPTY_ROW)).toEqual(
      extendRow(EMPTY_ROW, pieces.join(''), 10),
    )
  })
})

describe('rowsBelow', () => {
  it.each([
    { text: '> abc', rows: 0 },
    { text: '> 01234567', rows: 1 },
    { text: '> 0123456789', rows: 1 },
    { text: '> 日日日日日', rows: 1 },
  ])('counts the rows below the first of $text', ({ text, rows }) => {
    expect(rowsBelow(text, 10)).toBe(rows)
  })
})
