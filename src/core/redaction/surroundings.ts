/**
 * What stands around a candidate: whether it is a piece of something longer, and which words are near.
 */
import type { Span } from './detector.ts'

const REACH = 20
const CONTEXT_BEFORE = 48
const CONTEXT_AFTER = 24

/**
 * Whether the stretch is cut out of a hash, a UUID, a number or a path of digits rather than standing for itself:
 * digits touch it, or a word that may be hexadecimal.
 */
export function isPieceOfCode(text: string, start: number, end: number): boolean {
  const before = /[0-9A-Za-z]+$/.exec(text.slice(Math.max(0, start - REACH), start))?.[0]
  const after = /^[0-9A-Za-z]+/.exec(text.slice(end, end + REACH))?.[0]
  return [before, after].some((word) => word !== undefined && (/\d/.test(word) || /^[a-f]+$/i.test(word)))
}

/**
 * Whether one of the words is near, in the same line. `words` has no flag but `i`; what is written in camelCase is
 * shown to it as words.
 */
export function hasContext(text: string, span: Span, words: RegExp): boolean {
  const before = text.slice(Math.max(0, span.start - CONTEXT_BEFORE), span.start)
  if (words.test(apart(before.slice(before.lastIndexOf('\n') + 1)))) return true
  const after = text.slice(span.end, span.end + CONTEXT_AFTER)
  return words.test(apart(after.split('\n', 1)[0] ?? ''))
}

function apart(camelCase: string): string {
  return camelCase.replace(/([a-z])(?=[A-Z])/g, '$1 ')
}

/** Whether a text is long enough for a number of somebody's, and has a digit: a shortcut for all others. */
export function mayHoldNumber(text: string): boolean {
  return text.length >= 7 && /\d/.test(text)
}

const UUID = /(?<![0-9A-Za-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9A-Za-z])/gi

/** The text with its UUIDs blotted out, at the same length, so that no number is read out of one. */
export function withoutUuids(text: string): string {
  return text.replace(UUID, (uuid) => '\0'.repeat(uuid.length))
}
