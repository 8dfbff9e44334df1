/**
 * What a tool returned, as the text that the model reads.
 */
import { describeThrown } from './describe-tool-error.ts'
import { makePrintable, utf8Bytes } from './printable-text.ts'

export type RenderedResult =
  | { readonly kind: 'text'; readonly text: string }
  /** The tool ran, but what it returned has no text. `problem` is written for the model. */
  | { readonly kind: 'unserializable'; readonly problem: string }

/** Stands for a result without content, because providers refuse an empty one. */
export const NO_OUTPUT = '(no output)'

/**
 * Renders a result; never throws, whatever the value does when it is read.
 *
 * Strings stay as they are but for what {@link makePrintable} changes, binary content becomes "binary, n bytes",
 * everything else becomes compact JSON: as `JSON.stringify` has it, except that maps, sets, errors and numbers
 * that are not finite keep their content. The text is well formed and of any length: `ResultText` bounds it.
 */
export function renderResult(value: unknown): RenderedResult {
  try {
    const text = textOf(value)
    return text === undefined ? unserializable(`it is a ${typeof value}`) : { kind: 'text', text }
  } catch (error) {
    return unserializable(describeThrown(error, 200))
  }
}

function unserializable(why: string): RenderedResult {
  return {
    kind: 'unserializable',
    problem: `The tool ran, but what it returned cannot be turned into text: ${why}. Whatever the tool did has been done.`,
  }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return NO_OUTPUT
  if (typeof value === 'string') {
    const text = printable(value)
    // Some providers refuse content that is nothing but white space, too.
    return text.trim() === '' ? NO_OUTPUT : text
  }
  if (typeof value === 'number') return String(value)
  const binary = noteOfBinary(value)
  if (binary !== undefined) return binary
  // The replacer sees the root as a property too, so that a root gets the same treatment as what it contains.
  const json = JSON.stringify(value, jsonReplacer) as string | undefined
  return json?.toWellFormed()
}

function jsonReplacer(this: unknown, key: string, value: unknown): unknown {
  // What the property holds before its own toJSON: a Buffer's lists each of its bytes.
  const held = (this as Readonly<Record<string, unknown>>)[key]
  return noteOfBinary(held) ?? plainValue(value)
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return printable(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Map) return plainMap(value)
  if (value instanceof Set) return [...value]
  if (value instanceof Error) return { ...value, name: value.name, message: value.message }
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array)
  return value
}

function plainMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map]
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries
}

function printable(text: string): string {
  return text.includes('\0') ? binaryNote(utf8Bytes(text)) : makePrintable(text)
}

function noteOfBinary(value: unknown): string | undefined {
  const isBinary =
    value instanceof Uint8Array ||
    value instanceof Uint8ClampedArray ||
    value instanceof DataView ||
    value instanceof ArrayBuffer
  return isBinary ? binaryNote(value.byteLength) : undefined
}

/** Stands for content that is not text. */
export function binaryNote(bytes: number): string {
  return `binary, ${bytes} bytes`
}
