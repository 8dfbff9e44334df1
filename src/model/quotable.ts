/**
 * Words of a provider that may be shown: bounded, one line, and nothing of what was sent to it.
 */
const WINDOW = 20
const STRIDE = 8
/** Shorter texts say nothing: any sentence may hold them. */
const SHORTEST_SECRET = 6

/** Keys of providers, and other long tokens. */
const TOKEN = /\b(?:sk|pk|gsk|xai|hf|nvapi)[-_][\w*.-]{4,}|\bBearer \S+|[\w*-]{32,}/g

/**
 * The words with tokens blotted out, or undefined if there are none or they quote one of the `secrets`: the whole
 * of a short one, or a passage of a long one.
 */
export function quotable(
  words: string,
  secrets: readonly string[],
  maxCharacters: number,
): string | undefined {
  const line = oneLine(words)
  if (line === '' || secrets.some((secret) => quotes(line, secret))) return undefined
  const blotted = line.replaceAll(TOKEN, '[…]')
  return blotted.length > maxCharacters ? `${blotted.slice(0, maxCharacters).toWellFormed()}…` : blotted
}

function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, ' ').trim()
}

function quotes(words: string, secret: string): boolean {
  if (secret.length < WINDOW + STRIDE) {
    const whole = oneLine(secret)
    return whole.length >= SHORTEST_SECRET && words.includes(whole)
  }
  for (let from = 0; from + WINDOW <= words.length; from += STRIDE) {
    if (secret.includes(words.slice(from, from + WINDOW))) return true
  }
  return false
}
