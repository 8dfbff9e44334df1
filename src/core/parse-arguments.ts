/**
 * The arguments of a tool call, from the text that a model sent.
 *
 * Nothing is guessed: text that is not exactly one JSON object is a problem for the model to solve, because a
 * repaired call would run with input that nobody asked for.
 */
import { clip, makePrintable } from './printable-text.ts'

export type JsonObject = { readonly [key: string]: unknown }

export type ParsedArguments =
  | {
      readonly kind: 'parsed'
      readonly value: JsonObject
      /** JSON text of the value: one for equal arguments; parsed again, it gives the same value. */
      readonly canonical: string
    }
  /** `problem` is written for the model. */
  | { readonly kind: 'invalid'; readonly problem: string }

/** Limits of one call's arguments. */
export const ARGUMENT_LIMITS = { characters: 1024 * 1024, depth: 64 } as const

/**
 * Parses arguments as a model sent them. Empty and blank text mean `{}`.
 *
 * In what is returned every string and key is well formed, every number is the one that was sent, no key can
 * reach a prototype, keys are sorted, and nesting is at most `ARGUMENT_LIMITS.depth`.
 */
export function parseArguments(argumentsText: string): ParsedArguments {
  if (argumentsText.length > ARGUMENT_LIMITS.characters) return TOO_LONG
  const text = argumentsText.trim()
  if (text === '') return { kind: 'parsed', value: {}, canonical: '{}' }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return invalid(whyNotJson(text, error))
  }
  if (!isObject(parsed)) return invalid(`they must be one JSON object, not ${nameOf(parsed)}`)
  try {
    rejectInexactIntegers(text)
    const value = cleanObject(parsed, 1)
    const canonical = JSON.stringify(value)
    // Written out, 1e20 takes five times the room.
    return canonical.length > ARGUMENT_LIMITS.characters ? TOO_LONG : { kind: 'parsed', value, canonical }
  } catch (error) {
    if (error instanceof Unacceptable) return invalid(error.message)
    throw error
  }
}

/** Thrown and caught within this module only. */
class Unacceptable extends Error {}

function invalid(why: string): ParsedArguments {
  return { kind: 'invalid', problem: `The arguments cannot be used, nothing was run: ${why}.` }
}

const TOO_LONG = invalid(
  `they are longer than ${ARGUMENT_LIMITS.characters} characters. Split the work into smaller calls`,
)

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

// ------------------------------------------------------------------------------------------- values

/** Copies with keys sorted, strings made well formed, and everything refused that could do harm. */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number') return cleanNumber(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > ARGUMENT_LIMITS.depth)
    throw new Unacceptable(`they are nested deeper than ${ARGUMENT_LIMITS.depth} levels`)
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  return cleanObject(value as JsonObject, depth)
}

function cleanNumber(value: number): number {
  if (!Number.isFinite(value)) throw new Unacceptable('they hold a number that is too large')
  // JSON text has no use for -0, and what is written out again must be the same.
  return value === 0 ? 0 : value
}

function cleanObject(object: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
    if (reachesPrototype(key, value)) throw new Unacceptable(`the key ${key} is not allowed`)
    return [key.toWellFormed(), clean(value, depth + 1)]
  })
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Keys that pollute prototypes once somebody copies or merges the object; `constructor` alone is an honest name. */
function reachesPrototype(key: string, value: unknown): boolean {
  if (key === '__proto__') return true
  return key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')
}

// --------------------------------------------------------------------------------------------- text

/** Calls `visit` at every character outside string literals; false as answer stops. Returns whether a literal is left open. */
function scanOutsideStrings(text: string, visit: (index: number) => boolean): boolean {
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isInString && character === '\\') index += 1
    else if (character === '"') isInString = !isInString
    else if (!isInString && !visit(index)) return false
  }
  return isInString
}

/** An id of 19 digits would arrive as another id: JSON numbers are doubles here. */
function rejectInexactIntegers(text: string): void {
  const integer = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/y
  let checkedTo = 0
  scanOutsideStrings(text, (index) => {
    if (index < checkedTo) return true
    integer.lastIndex = index
    const digits = integer.exec(text)?.[0]
    if (digits === undefined) return true
    checkedTo = index + digits.length
    if (!isKept(digits)) {
      throw new Unacceptable(
        `the number ${clip(digits, 40)} cannot be kept exactly. Send it as a string if the tool allows`,
      )
    }
    return true
  })
}

/** Kept by value, or at least by the text that it is written as when it is sent on. */
function isKept(digits: string): boolean {
  const value = Number(digits)
  return !Number.isFinite(value) || String(value) === digits || BigInt(value) === BigInt(digits)
}

function whyNotJson(text: string, error: unknown): string {
  let firstEnd: number | undefined
  let depth = 0
  const isOpenString = scanOutsideStrings(text, (index) => {
    const character = text[index]
    if (character === '{' || character === '[') depth += 1
    if (character === '}' || character === ']') depth -= 1
    if (depth === 0 && (character === '}' || character === ']')) firstEnd ??= index + 1
    return depth >= 0
  })
  if (firstEnd !== undefined && isJson(text.slice(0, firstEnd))) {
    const rest = text.slice(firstEnd).trimStart()
    if (/^,?\s*[{[]/.test(rest)) {
      return 'they hold more than one JSON value. Make a separate call for each, with one JSON object as its arguments'
    }
    return `there is text after the JSON object: ${quote(rest)}. Send the JSON object alone`
  }
  if (/^[{[]/.test(text) && (isOpenString || depth > 0))
    return 'the JSON text ends before the object is complete'
  const message = error instanceof Error ? error.message : 'syntax error'
  return `they are not JSON (${clip(makePrintable(message), 160)}). Send one JSON object`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function quote(text: string): string {
  return JSON.stringify(clip(makePrintable(text), 40))
}
