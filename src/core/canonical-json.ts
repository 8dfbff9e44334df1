/**
 * Canonical JSON: one text for equal values, so that calls can be compared by it.
 */

type Work =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'leave'; readonly node: object }

/**
 * The JSON text of a value with keys sorted by UTF-16 code unit and no white space.
 *
 * What JSON cannot hold is treated as `JSON.stringify` does: `undefined` members are left out, non-finite
 * numbers are `null`, `-0` is `0`, `toJSON` is honoured, a bigint or a cycle throws a TypeError. Depth is not
 * limited by the stack, because models nest arbitrarily.
 */
export function canonicalJson(value: unknown): string {
  const pieces: string[] = []
  const ancestors = new Set<object>()
  const work: Work[] = [{ kind: 'value', value }]
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (next.kind === 'text') {
      pieces.push(next.text)
    } else if (next.kind === 'leave') {
      ancestors.delete(next.node)
    } else {
      const node = plain(next.value)
      if (typeof node !== 'object' || node === null) {
        pieces.push(JSON.stringify(node) ?? 'null')
      } else {
        if (ancestors.has(node)) throw new TypeError('canonicalJson: the value contains itself')
        ancestors.add(node)
        const parts = Array.isArray(node) ? arrayParts(node) : objectParts(node)
        work.push({ kind: 'leave', node })
        for (const part of parts.reverse()) work.push(part)
      }
    }
  }
  return pieces.join('')
}

/**
 * The canonical form of a call's arguments as the model sent them: empty text means `{}`, and text that is not
 * JSON stands for itself, trimmed.
 */
export function canonicalArguments(argumentsText: string): string {
  const text = argumentsText.trim()
  if (text === '') return '{}'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  return canonicalJson(value)
}

function arrayParts(items: readonly unknown[]): Work[] {
  const parts: Work[] = [{ kind: 'text', text: '[' }]
  items.forEach((value, index) => {
    if (index > 0) parts.push({ kind: 'text', text: ',' })
    parts.push({ kind: 'value', value })
  })
  parts.push({ kind: 'text', text: ']' })
  return parts
}

function objectParts(node: object): Work[] {
  const members = Object.entries(node)
    .filter(([, value]) => !isLeftOut(value))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const parts: Work[] = [{ kind: 'text', text: '{' }]
  members.forEach(([name, value], index) => {
    parts.push({ kind: 'text', text: `${index > 0 ? ',' : ''}${JSON.stringify(name)}:` })
    parts.push({ kind: 'value', value })
  })
  parts.push({ kind: 'text', text: '}' })
  return parts
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return value
  const replaced: unknown = value.toJSON()
  return replaced
}
