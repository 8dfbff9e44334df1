/**
 * Where one JSON value ends and the next begins in a model's argument text.
 *
 * Only objects and arrays are followed: nothing else can be an argument text, and where a number ends cannot be
 * known before the stream does.
 */

/** Follows JSON text piece by piece, in linear time, and knows whether it stands inside a value. */
export class JsonScanner {
  #depth = 0
  #inString = false
  #escaped = false
  #values = 0
  #hasOther = false
  #hasText = false

  /** Inside an object or array that has begun and not ended. */
  get isOpen(): boolean {
    return this.#depth > 0
  }

  /** At least one object or array has ended, and none is open. */
  get isComplete(): boolean {
    return this.#values > 0 && !this.isOpen
  }

  /** Nothing but white space so far. */
  get isBlank(): boolean {
    return !this.#hasText
  }

  /** Something stands outside of objects and arrays that is not white space. */
  get hasOther(): boolean {
    return this.#hasOther
  }

  /** Reads on. `onEnd` is told the index after each value that ends, within this piece. */
  read(piece: string, onEnd?: (index: number) => void): void {
    for (let index = 0; index < piece.length; index += 1) {
      const unit = piece.charCodeAt(index)
      if (this.#inString) this.#readInString(unit)
      else if (this.#readStructure(unit)) onEnd?.(index + 1)
    }
  }

  #readInString(unit: number): void {
    if (this.#escaped) this.#escaped = false
    else if (unit === 0x5c) this.#escaped = true
    else if (unit === 0x22) this.#inString = false
  }

  /** True when a value has just ended. */
  #readStructure(unit: number): boolean {
    const isSpace = unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
    if (!isSpace) this.#hasText = true
    if (unit === 0x7b || unit === 0x5b) this.#depth += 1
    else if ((unit === 0x7d || unit === 0x5d) && this.#depth > 0) {
      this.#depth -= 1
      if (this.#depth === 0) this.#values += 1
      return this.#depth === 0
    } else if (this.#depth === 0 && !isSpace) this.#hasOther = true
    else if (unit === 0x22) this.#inString = true
    return false
  }
}

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * The objects of a text that holds several, one after the other, with nothing but white space between.
 * Undefined when it holds fewer than two, or anything that is not a whole object: then it cannot be split.
 */
export function splitJsonObjects(text: string): readonly string[] | undefined {
  const ends: number[] = []
  const scanner = new JsonScanner()
  scanner.read(text, (index) => ends.push(index))
  if (ends.length < 2 || scanner.isOpen || scanner.hasOther) return undefined
  const objects = ends.map((end, position) => text.slice(position === 0 ? 0 : ends[position - 1], end).trim())
  return objects.every(isJsonObject) ? objects : undefined
}
