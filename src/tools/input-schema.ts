/**
 * What a tool's `input` may be, and the type of arguments that follows from it.
 *
 * The interfaces spell out the parts of Standard Schema and Standard JSON Schema (https://standardschema.dev)
 * that are used here, so that no schema library is needed to define a tool.
 */

export type JsonSchema = { readonly [keyword: string]: unknown }

export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** Any schema of the Standard Schema kind: Zod, Valibot, ArkType and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  }
}

/** A Standard Schema that can also say what it is as JSON Schema. */
export interface StandardSchemaWithJson<Input = unknown, Output = Input>
  extends StandardSchema<Input, Output> {
  readonly '~standard': StandardSchema<Input, Output>['~standard'] & {
    readonly jsonSchema: { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
  }
}

/** A Standard Schema that cannot, with its JSON Schema written beside it. */
export interface SchemaPair<Schema extends StandardSchema = StandardSchema> {
  readonly standard: Schema
  readonly jsonSchema: JsonSchema
}

export type ToolInput = StandardSchemaWithJson | SchemaPair | JsonSchema

type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output']

/** The validated arguments of a tool; those of a raw JSON Schema are not known to the compiler. */
export type ArgumentsOf<Input> =
  Input extends SchemaPair<infer Schema>
    ? OutputOf<Schema>
    : Input extends StandardSchema
      ? OutputOf<Input>
      : { readonly [name: string]: unknown }

export function isStandardSchema(value: unknown): value is StandardSchema {
  // ArkType's schemas are functions.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard = (value as { readonly '~standard'?: { readonly validate?: unknown } })['~standard']
  return typeof standard?.validate === 'function'
}

export function isSchemaPair(value: unknown): value is SchemaPair {
  return (
    typeof value === 'object' && value !== null && 'standard' in value && isStandardSchema(value.standard)
  )
}

export function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
