/** A short digest for comparing texts within one Turn: 64 bits as 16 hex digits. Fast and pure, not cryptographic. */
export function mixedDigest(text: string): string {
  let low = 0x811c9dc5
  let high = 0x9e3779b1
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 15), 0x85ebca6b)
  }
  return hex(low ^ (high >>> 13)) + hex(high)
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
