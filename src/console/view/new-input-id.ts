/** An id that no other input has. Not `crypto.randomUUID`, which pages from elsewhere than this machine do not have. */
export function newInputId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `in-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
