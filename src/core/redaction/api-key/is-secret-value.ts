/**
 * Whether a value that is assigned to a telling name is a secret, rather than code, a word or a reference.
 */

/** How telling the name is. */
export type NameKind = 'password' | 'secret' | 'key'

export interface Assigned {
  readonly kind: NameKind
  readonly value: string
  readonly isQuoted: boolean
  /** The character behind the value. */
  readonly next: string
}

const NOT_A_SECRET =
  /^(?:string|number|boolean|object|unknown|undefined|null|none|nil|true|false|required|optional|password|passwd|secret|token|hidden|masked|redacted|empty|text|value|yes|no|n\/a|example|changeme|change-me|placeholder|your[\w-]*|<.*|\$.*|%.*|\*+|x+|\.+|-+|process\.env.*|os\.environ.*|env[.:].*)$/i
/** A placeholder of ours, as far as the value goes. */
const BLOTTED = /^\[[a-z][a-z0-9-]*:[0-9a-f]{8}\]?/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HEXADECIMAL = /^(?:0x)?[0-9a-f]+$/i
const INTEGRITY = /^sha\d{1,3}-/
/** Paths, addresses and versions. */
const REFERENCE =
  /^(?:\.{0,2}\/[a-z.]|[a-z][a-z0-9+.-]*:\/\/|@?[a-z][a-z0-9.-]*\/[a-z]|[<>=^~]*v?\d+\.\d+|\d{4}-\d{2}-\d{2})/

/** From which length on a value may be one, where its name says no more than "secret", "token" or "key". */
const SHORTEST = 12
const SHORTEST_PASSWORD = 4

export function isSecretValue(assigned: Assigned): boolean {
  const { kind, value, isQuoted, next } = assigned
  if (NOT_A_SECRET.test(value) || BLOTTED.test(value) || value.includes('${')) return false
  if (!isQuoted && (next === '(' || /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value))) return false
  switch (kind) {
    case 'password':
      if (value.length < SHORTEST_PASSWORD) return false
      return isQuoted || /\d/.test(value) || /[^\w.]/.test(value)
    case 'secret':
      return value.length >= SHORTEST && !REFERENCE.test(value) && looksRandom(value)
    case 'key':
      if (value.length < 16 || UUID.test(value) || HEXADECIMAL.test(value)) return false
      return (
        !INTEGRITY.test(value) && !REFERENCE.test(value) && /[:.]/.test(value) === false && looksRandom(value)
      )
  }
}

/** Letters mixed with digits, and many different signs: what a generator makes, and words are not. */
function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  const words = value.split(/[^A-Za-z0-9]+/)
  const areWords = words.every((word) => /^(?:[A-Za-z]?[a-z]*|[A-Z]+)$/.test(word) || /^\d{1,4}$/.test(word))
  return !areWords && entropyOf(value) >= 2.8
}

/** Shannon's, in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length)
  return entropy
}
