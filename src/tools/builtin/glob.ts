/**
 * Glob patterns, matched in time proportional to pattern times path: they come from files that nobody vouches for.
 */

type Token = (character: string) => boolean

const STAR = Symbol('any number of anything')

/** A pattern, ready to match. */
export type Glob = readonly (typeof STAR | readonly (typeof STAR | Token)[])[]

/**
 * Reads a pattern, segment by segment. `**` as a segment stands for any number of them; within a segment `*`
 * stands for any characters, `?` for one, `[a-z]` and `[!a-z]` for one of a set, and a backslash takes the next
 * literally.
 */
export function compileGlob(segments: readonly string[]): Glob {
  return segments.map((segment) => (segment === '**' ? STAR : tokensOf(segment)))
}

/** Whether the pattern matches the whole path. */
export function matchesGlob(glob: Glob, path: readonly string[]): boolean {
  return matchesWild(glob, path, (tokens, name) =>
    matchesWild(tokens, [...name], (token, character) => token(character)),
  )
}

/**
 * The classic wildcard match: on a mismatch only the last star is given one more item, which is enough because
 * what an earlier star could take, the last one can take too.
 */
function matchesWild<P>(
  pattern: readonly (typeof STAR | P)[],
  items: readonly string[],
  matchesOne: (part: P, item: string) => boolean,
): boolean {
  let at = 0
  let next = 0
  let star: { readonly after: number; next: number } | undefined
  while (next < items.length) {
    const part = pattern[at]
    if (part === STAR) {
      at += 1
      star = { after: at, next }
    } else if (part !== undefined && matchesOne(part, items[next] ?? '')) {
      at += 1
      next += 1
    } else if (star !== undefined) {
      star.next += 1
      next = star.next
      at = star.after
    } else return false
  }
  return pattern.slice(at).every((part) => part === STAR)
}

function tokensOf(segment: string): readonly (typeof STAR | Token)[] {
  const parts = segment.replace(/\*+/g, '*').match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? []
  return parts.map((part) => (part === '*' ? STAR : tokenOf(part)))
}

function tokenOf(part: string): Token {
  if (part === '?') return () => true
  if (part.startsWith('[') && part.length > 2) return setOf(part.slice(1, -1))
  const literal = part.startsWith('\\') && part.length > 1 ? part.slice(1) : part
  return (character) => character === literal
}

function setOf(body: string): Token {
  const isNegated = /^[!^]/.test(body)
  const members = [...(isNegated ? body.slice(1) : body)]
  const isIn = (character: string) =>
    members.some((member, index) => {
      const last = members[index + 1] === '-' ? members[index + 2] : undefined
      return last === undefined ? member === character : member <= character && character <= last
    })
  return (character) => isIn(character) !== isNegated
}
