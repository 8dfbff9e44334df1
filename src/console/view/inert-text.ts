/**
 * Text from outside, made inert: what could hide, reorder or imitate becomes a visible mark.
 *
 * In prose, control characters and terminal sequences go as in a terminal; in code, where what is left out would be
 * approved unseen, they are shown. Characters that change the direction of what follows, and characters that show
 * nothing, become their code point in brackets. Scripts that are written from right to left are left as they are.
 */
import { makePrintable } from '../../core/printable-text.ts'
import { codePointOf, INVISIBLE, makeVisible } from '../../core/visible-text.ts'

/** Embeddings, overrides and isolates of direction, and tag characters, which carry unseen text. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu

/** For prose. */
export function inertText(text: string): string {
  return makePrintable(text).replace(REORDERING, codePointOf)
}

/** For arguments, diffs and whatever a decision depends on. */
export function inertCode(text: string): string {
  return makeVisible(text)
}

/**
 * JSON text laid out over lines, keys in their order; what does not show itself is escaped, so that it is the same value
 * when it is read again. What is not JSON is made inert as it is.
 */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(UNSEEN_IN_JSON, escaped)
  } catch {
    return inertCode(text)
  }
}

/** Beside what is invisible in code: control characters that JSON leaves as they are. */
const UNSEEN_IN_JSON = new RegExp(`[\\u007f-\\u009f]|${INVISIBLE.source}`, 'gu')

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index)
    return `\\u${unit.toString(16).padStart(4, '0')}`
  }).join('')
}

/** What is shorter keeps its place, in UTF-16 units. */
const SHORT = 60

/** JSON text on one line, long values last, cut: `path: "a.txt", lines: 3`. */
export function oneLineJson(text: string, limit = 120): string {
  let line = text
  try {
    const value: unknown = JSON.parse(text)
    line =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value)
            .map(([name, member]) => `${name}: ${JSON.stringify(member)}`)
            .sort((a, b) => Math.floor(a.length / SHORT) - Math.floor(b.length / SHORT))
            .join(', ')
        : JSON.stringify(value)
  } catch {
    // Not JSON: shown as the model sent it.
  }
  const characters = Array.from(
    inertCode(line)
      .replace(/\s+/g, ' ')
      .slice(0, 4 * limit),
  )
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`
}
