/**
 * Requests made from an OpenAPI document: as described, nearly so, and not at all.
 */
import fc from 'fast-check'
import type { OpenApiDocument } from './described.ts'

export interface ArbitraryRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly additionalProperties?: unknown
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface Described {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

/** Ids that are there, so that not everything ends at the first look-up. */
export interface KnownIds {
  readonly session: string
  /** A session at rest, of which a stream ends. */
  readonly rested: string
  readonly input: string
  readonly call: string
}

/** Any request to any operation of the document. */
export function arbitraryRequest(document: OpenApiDocument, known: KnownIds): fc.Arbitrary<ArbitraryRequest> {
  const made = new Maker(document)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      made.request(method, path, operation as Described, known),
    ),
  )
  return fc.oneof(...operations)
}

class Maker {
  readonly #document: OpenApiDocument

  constructor(document: OpenApiDocument) {
    this.#document = document
  }

  request(
    method: string,
    path: string,
    { parameters = [], requestBody }: Described,
    known: KnownIds,
  ): fc.Arbitrary<ArbitraryRequest> {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    const schema = requestBody?.content['application/json']?.schema
    return fc
      .record({
        path: fc.tuple(...inPath.map(({ name }) => pathSegment(name, known, isOfOthers(path)))),
        query: fc.tuple(...inQuery.map((parameter) => fc.option(this.#value(parameter.schema)))),
        body: schema === undefined ? fc.constant(undefined) : this.#body(schema),
      })
      .map((parts) => {
        const filled = inPath.reduce(
          (sum, { name }, index) => sum.replace(`{${name}}`, encodeURIComponent(parts.path[index] ?? '')),
          path,
        )
        const search = new URLSearchParams(
          inQuery.flatMap(({ name }, index): [string, string][] => {
            const value = parts.query[index]
            return value === null || value === undefined ? [] : [[name, textOf(value)]]
          }),
        )
        return { method: method.toUpperCase(), path: `${filled}?${search}`, body: parts.body }
      })
  }

  #body(schema: Schema): fc.Arbitrary<string> {
    const described = this.#value(schema).map((value) => JSON.stringify(value))
    return fc.oneof(
      { weight: 6, arbitrary: described },
      { weight: 1, arbitrary: fc.json() },
      {
        weight: 1,
        arbitrary: fc.tuple(described, fc.nat()).map(([text, at]) => text.slice(0, at % text.length)),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('', 'null', '{"__proto__":1}', '"\\ud800"', '1e999', '[[[[[[]]]]]]'),
      },
    )
  }

  /** Mostly what the schema says, with a value of any kind now and then in its place. */
  #value(schema: Schema): fc.Arbitrary<unknown> {
    return fc.oneof(
      { weight: 24, arbitrary: this.#fitting(schema) },
      { weight: 1, arbitrary: fc.jsonValue() },
    )
  }

  #fitting(schema: Schema): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1) ?? ''
      return this.#fitting((this.#document.components.schemas[name] ?? {}) as Schema)
    }
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return fc.oneof(...choices.map((one) => this.#value(one)))
    switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
      case 'object':
        return this.#object(schema)
      case 'array':
        return fc.array(this.#value(schema.items ?? {}), { maxLength: 4 })
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 1_000, 1_000) })
      case 'number':
        // A wait is real time.
        return fc.constantFrom(0, 0.01, 0.05)
      case 'boolean':
        return fc.boolean()
      case 'string':
        return schema.pattern === undefined ? hostileText() : fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/)
      default:
        return fc.jsonValue()
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
    if (Object.keys(properties).length === 0 && additionalProperties !== undefined)
      return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 })
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.#value(schema)]),
    )
    return fc.record(fields, { requiredKeys: [...required] })
  }
}

/** Whether a path is one of the front ends' protocols. */
export function isOfOthers(path: string): boolean {
  return /^\/v1\/(ai-sdk|ag-ui|chat|models|responses|streams)\b/.test(path)
}

function pathSegment(name: string, known: KnownIds, isOther: boolean): fc.Arbitrary<string> {
  const ours =
    isOther && name === 'session'
      ? known.rested
      : name === 'session' || name === 'input' || name === 'call'
        ? known[name]
        : known.input
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(ours) },
    { weight: 2, arbitrary: fc.constantFrom('forged', 'c1_1_0', 'm1_1', '..', '%', 'a b', '__proto__') },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 140, unit: 'binary' }) },
  )
}

function hostileText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ maxLength: 10, unit: 'binary' }),
    fc.constantFrom(
      '',
      ' ',
      '\u0000',
      '\ud800',
      '__proto__',
      'constructor',
      '(',
      '(a+)+$',
      "'; drop table sessions;--",
    ),
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '')
}
