import { describe, expect, it } from 'vitest'
import { inertTree } from '../../../src/console/view/inert-tree.ts'

describe('inertTree', () => {
  it('makes every text of a tree inert, however deep it is', () => {
    const text = { type: 'text', value: 'invoice\u202Efdp.exe' }
    let tree: { type: string; children: object[] } = { type: 'element', children: [text] }
    for (let depth = 0; depth < 50_000; depth += 1) tree = { type: 'element', children: [tree] }
    inertTree()(tree as Parameters<ReturnType<typeof inertTree>>[0])
    expect(text.value).toBe('invoice[U+202E]fdp.exe')
  })
})
