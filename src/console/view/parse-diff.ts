/**
 * A unified diff as lines with their kind and their places in both files. What is neither header nor line of a hunk
 * (that no line feed ends the file, that the diff was cut) is a line of kind `file`.
 */
export interface DiffLine {
  readonly kind: 'add' | 'remove' | 'same' | 'hunk' | 'file'
  readonly text: string
  /** Line in the file before, from 1. */
  readonly before?: number
  /** Line in the file after, from 1. */
  readonly after?: number
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

export function parseDiff(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  let isInHunk = false
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      isInHunk = true
      lines.push({ kind: 'hunk', text: line })
    } else if (!isInHunk || !/^[ +-]/.test(line)) {
      lines.push({ kind: 'file', text: line })
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'add', text: line.slice(1), after })
      after += 1
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'remove', text: line.slice(1), before })
      before += 1
    } else {
      lines.push({ kind: 'same', text: line.slice(1), before, after })
      before += 1
      after += 1
    }
  }
  return lines
}

/** How many lines come and go. */
export function diffSize(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter(({ kind }) => kind === 'add').length,
    removed: lines.filter(({ kind }) => kind === 'remove').length,
  }
}
