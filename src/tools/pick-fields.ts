/**
 * The fields of a result that the model needs, by path.
 */

/**
 * A copy of the value with these fields alone, nested as they were: `author.name` keeps `{ author: { name } }`.
 * Of an array each item is picked from, at any depth. A value that is no object has no fields and is left out.
 */
export function pickFields(value: unknown, fields: readonly string[]): unknown {
  return pick(
    value,
    fields.map((field) => field.split('.')),
  )
}

function pick(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return value
  if (Array.isArray(value)) return value.map((item) => pick(item, paths))
  if (typeof value !== 'object' || value === null) return undefined
  const picked: Record<string, unknown> = {}
  for (const name of new Set(paths.flatMap(([first = '']) => first))) {
    if (!Object.hasOwn(value, name)) continue
    const deeper = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
    const found = pick((value as Readonly<Record<string, unknown>>)[name], deeper)
    if (found !== undefined)
      Object.defineProperty(picked, name, {
        value: found,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return picked
}
