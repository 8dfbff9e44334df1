/**
 * Ids that this page chooses. Not `crypto.randomUUID`, which pages from elsewhere than this machine do not have.
 */

/** An id that no other input has. */
export function newInputId(): string {
  return `in-${randomHex(12)}`
}

/** An id for a Session that tells when it began, in the browser's time zone: `chat-20250131-1405-3f9a`. */
export function newSessionId(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `chat-${day}-${two(now.getHours())}${two(now.getMinutes())}-${randomHex(2)}`
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
