/**
 * What a call would change in a file, for a human who decides on it.
 */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { CallPreview } from '../core/event.ts'

/** What a definition's `preview` returns. Of a file that is not there, or will not be, the text is empty. */
export interface FileChange {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Longer diffs end in a line that says so, in UTF-16 units; the whole text is in the call's arguments. */
const MAX_DIFF = 32_000
/** Texts that differ so much that no diff is found by then are shown as removed and added. */
const DIFF_TIMEOUT_MS = 1_000

/** A unified diff; undefined when nothing changes. */
export function fileDiff({ path, before, after }: FileChange): CallPreview | undefined {
  if (before === after) return undefined
  const options = { context: 3, timeout: DIFF_TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY }
  const diff =
    createTwoFilesPatch(path, path, before, after, '', '', options) ??
    createTwoFilesPatch(path, path, '', after, '', '', { headerOptions: FILE_HEADERS_ONLY })
  return { kind: 'diff', path, diff: bound(diff) }
}

function bound(diff: string): string {
  if (diff.length <= MAX_DIFF) return diff
  const end = diff.lastIndexOf('\n', MAX_DIFF)
  const kept = diff.slice(0, end < 0 ? MAX_DIFF : end).toWellFormed()
  return `${kept}\n[${diff.length - kept.length} more characters]\n`
}
