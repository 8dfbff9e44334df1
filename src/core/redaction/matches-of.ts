/**
 * All matches of a global pattern, in order. Unlike `matchAll` it makes no copy of the pattern, which for short texts
 * takes longer than matching.
 */
export function* matchesOf(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let from = 0; ; ) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) return
    from = match.index + Math.max(match[0].length, 1)
    yield match
  }
}
