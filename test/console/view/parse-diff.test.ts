import { describe, expect, it } from 'vitest'
import { diffSize, parseDiff } from '../../../src/console/view/parse-diff.ts'

const DIFF = [
  '--- a/notes.md',
  '+++ b/notes.md',
  '@@ -1,3 +1,3 @@',
  ' one',
  '-two',
  '+TWO',
  ' three',
  '@@ -10 +10,2 @@',
  ' ten',
  '+-- eleven',
  '\\ No newline at end of file',
  '',
].join('\n')

describe('parseDiff', () => {
  it('tells lines apart, with their places in both files', () => {
    expect(parseDiff(DIFF)).toEqual([
      { kind: 'file', text: '--- a/notes.md' },
      { kind: 'file', text: '+++ b/notes.md' },
      { kind: 'hunk', text: '@@ -1,3 +1,3 @@' },
      { kind: 'same', text: 'one', before: 1, after: 1 },
      { kind: 'remove', text: 'two', before: 2 },
      { kind: 'add', text: 'TWO', after: 2 },
      { kind: 'same', text: 'three', before: 3, after: 3 },
      { kind: 'hunk', text: '@@ -10 +10,2 @@' },
      { kind: 'same', text: 'ten', before: 10, after: 10 },
      { kind: 'add', text: '-- eleven', after: 11 },
      { kind: 'file', text: '\\ No newline at end of file' },
    ])
  })

  it('counts what comes and goes', () => {
    expect(diffSize(parseDiff(DIFF))).toEqual({ added: 2, removed: 1 })
  })
})
