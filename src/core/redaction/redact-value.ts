/**
 * Redaction of structured values: everything that could be rendered of one is walked.
 */
import { makePrintable } from '../printable-text.ts'

/** Redacts a text that stands under a name, if it has one. */
export type RedactNamed = (text: string, name?: string | undefined) => string

/** Fewer digits are nobody's number. */
const SMALLEST_NUMBER = 1_000_000

/**
 * A copy with its texts redacted, keys too. It renders like the original: what cannot be read or has no text
 * (a getter that throws, a cycle, a function) cannot and has none in the copy. Buffers and typed arrays stay.
 */
export function redactValue(value: unknown, redact: RedactNamed): unknown {
  return new Walk(redact).copy(value, undefined)
}

class Walk {
  readonly #given: RedactNamed
  readonly #copies = new Map<object, unknown>()

  constructor(redact: RedactNamed) {
    this.#given = redact
  }

  copy(value: unknown, name: string | undefined): unknown {
    switch (typeof value) {
      case 'string':
        return this.#text(value, name)
      case 'number':
      case 'bigint':
        return this.#number(value, name)
      case 'object':
        return value === null ? null : this.#object(value, name)
      default:
        return value
    }
  }

  /** As it will be shown: control characters could split what they are removed from. */
  #text(text: string, name: string | undefined): string {
    return this.#redact(text.includes('\0') ? text : makePrintable(text), name)
  }

  #number(value: number | bigint, name: string | undefined): unknown {
    if (value > -SMALLEST_NUMBER && value < SMALLEST_NUMBER) return value
    const text = String(value)
    const redacted = this.#redact(text, name)
    return redacted === text ? value : redacted
  }

  #redact(text: string, name: string | undefined): string {
    try {
      return this.#given(text, name)
    } catch (cause) {
      throw new RedactionFault(cause)
    }
  }

  #object(value: object, name: string | undefined): unknown {
    if (this.#copies.has(value)) return this.#copies.get(value)
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value
    return reading(() => {
      const json = ownJson(value, name)
      if (json === undefined) return this.#members(value, name)
      // What it answers is not asked for its own JSON again.
      const { plain } = json
      const isRecord = typeof plain === 'object' && plain !== null
      const copy = isRecord ? this.#members(plain, name) : this.copy(plain, name)
      return { toJSON: () => copy }
    })
  }

  #members(value: object, name: string | undefined): unknown {
    if (this.#copies.has(value)) return this.#copies.get(value)
    if (Array.isArray(value)) return this.#list(value, value, name)
    if (value instanceof Set) return this.#list(value, [...value], name)
    if (value instanceof Map) return this.#map(value)
    return this.#record(value)
  }

  #list(original: object, members: readonly unknown[], name: string | undefined): unknown {
    const copy: unknown[] = []
    this.#copies.set(original, copy)
    for (let index = 0; index < members.length; index += 1)
      copy.push(reading(() => this.copy(members[index], name)))
    return copy
  }

  #map(map: ReadonlyMap<unknown, unknown>): unknown {
    const copy = new Map<unknown, unknown>()
    this.#copies.set(map, copy)
    for (const [key, value] of map)
      copy.set(this.copy(key, undefined), this.copy(value, typeof key === 'string' ? key : undefined))
    return copy
  }

  #record(record: object): unknown {
    const copy = {}
    this.#copies.set(record, copy)
    for (const key of Object.keys(record))
      put(
        copy,
        this.#text(key, undefined),
        reading(() => this.copy(property(record, key), key)),
      )
    if (record instanceof Error) {
      put(copy, 'name', this.#text(String(record.name), undefined))
      put(copy, 'message', this.#text(String(record.message), undefined))
    }
    return copy
  }
}

/** What a detector or the digest threw, told apart from what a value throws when it is read. */
class RedactionFault extends Error {
  constructor(cause: unknown) {
    super('A detector failed.', { cause })
  }
}

/** What cannot be read becomes something that cannot be read either. */
function reading(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof RedactionFault) throw error
    return {
      toJSON() {
        throw error
      },
    }
  }
}

function ownJson(value: object, name: string | undefined): { readonly plain: unknown } | undefined {
  if (value instanceof String || value instanceof Number) return { plain: value.valueOf() }
  if (value instanceof Boolean) return { plain: value.valueOf() }
  const toJson = property(value, 'toJSON')
  return typeof toJson === 'function' ? { plain: toJson.call(value, name ?? '') as unknown } : undefined
}

function property(holder: object, key: string): unknown {
  return (holder as Readonly<Record<string, unknown>>)[key]
}

/** Defined, not assigned: a key may be `__proto__`. Two keys may become one: the later gets the value. */
function put(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}
