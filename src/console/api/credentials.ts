/**
 * The key or token that this tab says who it is with, where the gateway asks for one. Forgotten when the tab is closed.
 */
const STORED = 'turnstep-key'

let given: string | undefined

export function giveKey(key: string): void {
  given = key
  try {
    sessionStorage.setItem(STORED, key)
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

/** Headers that say who asks; none in local mode, where a cookie does. */
export function credentials(): Readonly<Record<string, string>> {
  given ??= storedKey()
  return given === undefined ? {} : { authorization: `Bearer ${given}` }
}

function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(STORED) ?? undefined
  } catch {
    return undefined
  }
}
