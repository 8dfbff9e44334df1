import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdownBlocks } from '../../../src/console/view/markdown-blocks.ts'

describe('markdownBlocks', () => {
  it('cuts between paragraphs', () => {
    expect(markdownBlocks('One\nmore.\n\nTwo.\n\n\nThr')).toEqual(['One\nmore.\n\n', 'Two.\n\n\n', 'Thr'])
  })

  it('leaves code and what is indented whole', () => {
    expect(markdownBlocks('```js\na\n\nb\n```\n\n- one\n\n  more of it\n\ntwo')).toEqual([
      '```js\na\n\nb\n```\n\n',
      '- one\n\n  more of it\n\n',
      'two',
    ])
    expect(markdownBlocks('````\n```\n\nb\n')).toEqual(['````\n```\n\nb\n'])
  })

  it('loses nothing, and keeps its beginnings as more comes', () => {
    const line = fc.constantFrom('a', '', ' ', '```', '~~~~', '  b', '- c')
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, cut) => {
        const text = lines.join('\n')
        const blocks = markdownBlocks(text)
        const earlier = markdownBlocks(text.slice(0, cut)).slice(0, -1)
        expect(blocks.join('')).toBe(text)
        expect(blocks.slice(0, earlier.length)).toEqual(earlier)
      }),
    )
  })
})
