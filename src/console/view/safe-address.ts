/**
 * Addresses in what a model or a tool wrote: which may be followed, and how they are shown.
 */

/** The address to follow, absolute and as it really is; undefined for whatever is not a plain web or mail address. */
export function safeAddress(address: string): string | undefined {
  let url: URL
  try {
    url = new URL(address.trim())
  } catch {
    return undefined
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:' && url.protocol !== 'mailto:') return undefined
  return url.href
}
