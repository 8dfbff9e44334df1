/**
 * Text within text: JSON strings whose content is escaped, at any depth.
 */

/**
 * Redacts the content of string literals that hold escapes, and writes back those that changed. What is around
 * them stays as it is, numbers and white space too.
 */
export function redactEscaped(text: string, redact: (text: string) => string): string {
  return text.includes('\\') && text.includes('"') ? withinLiterals(text, redact) : text
}

function withinLiterals(text: string, redact: (text: string) => string): string {
  let redacted = ''
  let copied = 0
  for (let start = text.indexOf('"'); start !== -1; ) {
    const { end, isEscaped } = literalFrom(text, start)
    if (end === undefined) break
    const plain = isEscaped ? decoded(text.slice(start, end)) : undefined
    const changed = plain === undefined ? undefined : redact(plain)
    if (changed !== undefined && changed !== plain) {
      redacted += text.slice(copied, start) + JSON.stringify(changed)
      copied = end
    }
    start = text.indexOf('"', end)
  }
  return redacted + text.slice(copied)
}

/** Where a literal ends, behind its closing quote; undefined when it has none. */
function literalFrom(text: string, start: number): { readonly end?: number; readonly isEscaped: boolean } {
  let isEscaped = false
  for (let index = start + 1; index < text.length; index += 1) {
    const sign = text.charAt(index)
    if (sign === '"') return { end: index + 1, isEscaped }
    if (sign !== '\\') continue
    isEscaped = true
    index += 1
  }
  return { isEscaped }
}

function decoded(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}
