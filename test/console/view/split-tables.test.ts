import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitTables } from '../../../src/console/view/split-tables.ts'

describe('splitTables', () => {
  it('finds tables between texts', () => {
    const text = 'Before.\n\n| a | b\\|c |\n|:--|--:|\n| 1 | 2 | 3 |\n| 4 |\n\nAfter.'
    expect(splitTables(text)).toEqual([
      { kind: 'text', text: 'Before.\n' },
      {
        kind: 'table',
        head: ['a', 'b|c'],
        align: ['left', 'right'],
        rows: [
          ['1', '2'],
          ['4', ''],
        ],
      },
      { kind: 'text', text: '\nAfter.' },
    ])
  })

  it.each([
    'a | b\nno dashes',
    '```\n| a |\n| - |\n```',
    '    | a |\n    | - |',
    '| a | b |\n| - |',
    `| a |\n| - |\n${'| 1 |\n'.repeat(700)}`,
  ])('leaves what is none as it is (%#)', (text) => {
    expect(splitTables(text).map(({ kind }) => kind)).toEqual(['text'])
  })

  it('takes any text', () => {
    const line = fc.constantFrom('|', '| a |', '|-|', ':-:|-', 'a|b', '', '```', 'x')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const segment of splitTables(lines.join('\n')))
          if (segment.kind === 'table')
            for (const row of segment.rows) expect(row).toHaveLength(segment.head.length)
      }),
    )
  })
})
