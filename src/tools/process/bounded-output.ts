/**
 * Output of which the beginning and the end are kept, in memory that does not grow with it.
 *
 * Invariants:
 * 1. At most `maxBytes` of the output are held, half from its beginning and half from its end, and of the end at
 *    most as much again for what is about to be dropped.
 * 2. Both are cut between characters; what is given must not split one.
 */
const LEAD_BYTE_MASK = 0xc0
const CONTINUATION = 0x80

export class BoundedOutput {
  readonly #headRoom: number
  readonly #tailRoom: number
  readonly #head: Buffer[] = []
  #headBytes = 0
  #isHeadFull = false
  #tail: Buffer[] = []
  #tailBytes = 0
  #bytes = 0

  constructor(maxBytes: number) {
    this.#headRoom = Math.ceil(maxBytes / 2)
    this.#tailRoom = maxBytes - this.#headRoom
  }

  /** Size of all that was added. */
  get bytes(): number {
    return this.#bytes
  }

  add(text: string): void {
    if (text === '') return
    const more = Buffer.from(text)
    this.#bytes += more.length
    const end = this.#isHeadFull ? 0 : boundaryBefore(more, this.#headRoom - this.#headBytes)
    if (end > 0) {
      this.#head.push(more.subarray(0, end))
      this.#headBytes += end
    }
    if (end === more.length) return
    this.#isHeadFull = true
    this.#tail.push(more.subarray(end))
    this.#tailBytes += more.length - end
    if (this.#tailBytes > 2 * this.#tailRoom || this.#tail.length > MAX_PIECES) this.#trim()
  }

  /** The whole, or its beginning and end with a line between that says how much is left out. */
  toString(): string {
    this.#trim()
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    const omitted = this.#bytes - head.length - tail.length
    if (omitted === 0) return Buffer.concat([head, tail]).toString('utf8')
    return `${head.toString('utf8')}\n[… ${omitted} bytes left out …]\n${tail.toString('utf8')}`
  }

  #trim(): void {
    const tail = Buffer.concat(this.#tail)
    // A copy: a small view would keep the whole of a large block alive.
    const kept = Buffer.from(tail.subarray(boundaryAfter(tail, tail.length - this.#tailRoom)))
    this.#tail = kept.length === 0 ? [] : [kept]
    this.#tailBytes = kept.length
  }
}

/** Many tiny pieces cost more than their bytes. */
const MAX_PIECES = 1_000

/** The last boundary between characters that is not after `index`. */
function boundaryBefore(bytes: Buffer, index: number): number {
  if (index >= bytes.length) return bytes.length
  let at = Math.max(index, 0)
  while (at > 0 && isContinuation(bytes[at])) at -= 1
  return at
}

/** The first boundary between characters that is not before `index`. */
function boundaryAfter(bytes: Buffer, index: number): number {
  let at = Math.max(index, 0)
  while (at < bytes.length && isContinuation(bytes[at])) at += 1
  return at
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & LEAD_BYTE_MASK) === CONTINUATION
}
