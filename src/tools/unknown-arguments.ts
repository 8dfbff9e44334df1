/**
 * Arguments that a schema does not name.
 *
 * Most schema libraries drop them silently and JSON Schema lets them pass. For a call that a model wrote both
 * are wrong: it believes that its argument had an effect.
 */
import { isJsonObject, type JsonSchema } from './input-schema.ts'

/** Keywords whose subschemas speak about the same value. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const

export interface UnknownArgument {
  readonly path: readonly PropertyKey[]
  /** Names that would have been accepted in its place. */
  readonly known: readonly string[]
}

/**
 * Finds properties, at any depth, that no part of the schema names. An object is taken to be closed when
 * `properties` is declared for it and nothing says that others are welcome (`additionalProperties`,
 * `unevaluatedProperties`, `patternProperties`, `propertyNames`).
 */
export function findUnknownArguments(root: JsonSchema, value: unknown): readonly UnknownArgument[] {
  const found: UnknownArgument[] = []
  visit([root], value, [])
  return found

  function visit(schemas: readonly unknown[], current: unknown, path: readonly PropertyKey[]): void {
    if (typeof current !== 'object' || current === null) return
    const all = expand(root, schemas)
    if (Array.isArray(current)) {
      for (const [index, item] of current.entries()) visit(itemSchemas(all, index), item, [...path, index])
      return
    }
    const known = closedProperties(all)
    for (const [name, held] of Object.entries(current)) {
      if (known !== 'open' && !known.includes(name)) found.push({ path: [...path, name], known })
      else visit(propertySchemas(all, name), held, [...path, name])
    }
  }
}

/** The schemas that apply to one value, with those that they refer to and branch into. */
function expand(root: JsonSchema, schemas: readonly unknown[]): readonly JsonSchema[] {
  const all = new Set<JsonSchema>()
  const pending = [...schemas]
  // An array's iterator also visits what is pushed on the way.
  for (const next of pending) {
    if (!isJsonObject(next) || all.has(next)) continue
    all.add(next)
    if (typeof next['$ref'] === 'string') pending.push(resolve(root, next['$ref']))
    for (const keyword of BRANCHES) pending.push(...[next[keyword] ?? []].flat())
    if (isJsonObject(next['dependentSchemas'])) pending.push(...Object.values(next['dependentSchemas']))
  }
  return [...all]
}

/** A schema within the same document; one that cannot be found leaves the object open. */
function resolve(root: JsonSchema, reference: string): unknown {
  const open = { additionalProperties: true }
  if (!reference.startsWith('#')) return open
  let current: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    current = isJsonObject(current) || Array.isArray(current) ? (current as JsonSchema)[name] : undefined
  }
  return reference === '#' || reference.startsWith('#/') ? (current ?? open) : open
}

function closedProperties(schemas: readonly JsonSchema[]): readonly string[] | 'open' {
  const isOpen = schemas.some(
    (schema) =>
      (schema['additionalProperties'] ?? false) !== false ||
      (schema['unevaluatedProperties'] ?? false) !== false ||
      'patternProperties' in schema ||
      'propertyNames' in schema ||
      '$dynamicRef' in schema,
  )
  const declared = schemas.flatMap((schema) =>
    isJsonObject(schema['properties']) ? [schema['properties']] : [],
  )
  return isOpen || declared.length === 0 ? 'open' : declared.flatMap((properties) => Object.keys(properties))
}

function propertySchemas(schemas: readonly JsonSchema[], name: string): readonly unknown[] {
  const own = schemas.flatMap(({ properties }) =>
    isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  )
  return own.length > 0 ? own : schemas.map((schema) => schema['additionalProperties'])
}

function itemSchemas(schemas: readonly JsonSchema[], index: number): readonly unknown[] {
  return schemas.flatMap((schema) => {
    const prefix = schema['prefixItems']
    return Array.isArray(prefix) && index < prefix.length ? [prefix[index]] : [schema['items']]
  })
}
