/**
 * Words of a provider that may be shown: bounded, one line, and nothing of what was sent to it.
 */
const WINDOW = 20
const STRIDE = 8
const SECRET = /\b(?:sk|pk|key|gsk|xai|Bearer)[-_ ][A-Za-z0-9_*.-]{4,}/

/** The words, or undefined if there are none or they quote a secret: anything that looks like a key, any longer
 * passage of `secrets`. */
export function quotable(
  words: string,
  secrets: readonly string[],
  maxCharacters: number,
): string | undefined {
  const line = words.toWellFormed().replaceAll(/\s+/g, ' ').trim()
  if (line === '' || SECRET.test(line)) return undefined
  const shown = line.length > maxCharacters ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line
  return secrets.some((secret) => shares(line, secret)) ? undefined : shown
}

function shares(words: string, secret: string): boolean {
  if (secret === '') return false
  if (secret.length <= WINDOW) return words.includes(secret)
  for (let from = 0; from + WINDOW <= words.length; from += STRIDE) {
    if (secret.includes(words.slice(from, from + WINDOW))) return true
  }
  return false
}
