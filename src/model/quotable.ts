/**
 * Words of a provider that may be shown: bounded, one line, and nothing of what was sent to it.
 */
const WINDOW = 20
const STRIDE = 8
/** Keys of providers, and other long tokens. */
const TOKEN = /\b(?:sk|pk|gsk|xai|hf|nvapi)[-_][\w*.-]{4,}|\bBearer \S+|[\w*-]{32,}/g

/**
 * The words with tokens blotted out, or undefined if there are none or they quote a longer passage of `secrets`.
 */
export function quotable(
  words: string,
  secrets: readonly string[],
  maxCharacters: number,
): string | undefined {
  const line = words.toWellFormed().replaceAll(/\s+/g, ' ').trim()
  if (line === '' || secrets.some((secret) => shares(line, secret))) return undefined
  const blotted = line.replaceAll(TOKEN, '[…]')
  return blotted.length > maxCharacters ? `${blotted.slice(0, maxCharacters).toWellFormed()}…` : blotted
}

function shares(words: string, secret: string): boolean {
  if (secret === '') return false
  if (secret.length <= WINDOW) return words.includes(secret)
  for (let from = 0; from + WINDOW <= words.length; from += STRIDE) {
    if (secret.includes(words.slice(from, from + WINDOW))) return true
  }
  return false
}
