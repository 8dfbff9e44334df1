/**
 * From a tool's `input` to its JSON Schema and a strict check of arguments.
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { clip } from '../core/printable-text.ts'
import { type ArgumentProblem, describeProblems, problemOfUnknown } from './argument-problems.ts'
import {
  isJsonObject,
  isSchemaPair,
  isStandardSchema,
  type JsonSchema,
  type StandardIssue,
  type StandardSchema,
  type ToolInput,
} from './input-schema.ts'
import { findUnknownArguments } from './unknown-arguments.ts'

export type CheckedArguments =
  | { readonly kind: 'valid'; readonly args: unknown }
  | { readonly kind: 'invalid'; readonly problem: string }

export interface ArgumentValidator {
  /** JSON Schema (draft 2020-12) of the arguments, an object schema, plain data. */
  readonly parameters: JsonSchema
  check(args: unknown): Promise<CheckedArguments>
}

/** What makes an `input` unusable, as a predicate for the field's name ("must …"). */
export class UnusableInput extends Error {}

/** Fails with {@link UnusableInput}. */
export function createValidator(input: ToolInput): ArgumentValidator {
  if (isStandardSchema(input)) return standardValidator(input, jsonSchemaOf(input))
  if (isSchemaPair(input)) return standardValidator(input.standard, parametersOf(input.jsonSchema))
  if (isJsonObject(input)) return jsonSchemaValidator(input)
  throw new UnusableInput('must be a Zod schema, another Standard Schema, or a JSON Schema')
}

function jsonSchemaOf(schema: StandardSchema): JsonSchema {
  const { jsonSchema, vendor } = schema['~standard'] as {
    vendor: string
    jsonSchema?: { input?: (options: { target: string }) => unknown }
  }
  if (typeof jsonSchema?.input !== 'function') {
    throw new UnusableInput(
      `must come as { standard, jsonSchema }, because ${vendor} cannot say its JSON Schema by itself`,
    )
  }
  let converted: unknown
  try {
    converted = jsonSchema.input({ target: 'draft-2020-12' })
  } catch (error) {
    throw new UnusableInput(`must have a JSON Schema, but the conversion failed: ${messageOf(error)}`)
  }
  return parametersOf(converted)
}

/** A copy as plain data without `$schema`, which only costs tokens. */
function parametersOf(schema: unknown): JsonSchema {
  let copy: unknown
  try {
    copy = JSON.parse(JSON.stringify(schema) ?? 'null')
  } catch (error) {
    throw new UnusableInput(`must be plain JSON: ${messageOf(error)}`)
  }
  if (!isJsonObject(copy) || copy['type'] !== 'object') {
    throw new UnusableInput("must be an object schema (its JSON Schema needs type: 'object' at the root)")
  }
  const { $schema: _, ...parameters } = copy
  return parameters
}

function standardValidator(schema: StandardSchema, parameters: JsonSchema): ArgumentValidator {
  return {
    parameters,
    async check(args) {
      const unknown = findUnknownArguments(parameters, args)
      const result = await schema['~standard'].validate(args)
      if (result.issues === undefined && unknown.length === 0) return { kind: 'valid', args: result.value }
      const issues = (result.issues ?? []).filter((issue) => unknown.length === 0 || !isZodUnknownKey(issue))
      return {
        kind: 'invalid',
        problem: describeProblems([...issues.map(problemOfIssue), ...unknown.map(problemOfUnknown)], args),
      }
    },
  }
}

/** Zod's own report of what `findUnknownArguments` has found too. */
function isZodUnknownKey(issue: StandardIssue): boolean {
  return (issue as { readonly code?: unknown }).code === 'unrecognized_keys'
}

function problemOfIssue({ message, path = [] }: StandardIssue): ArgumentProblem {
  return {
    path: path.map((part) => (typeof part === 'object' ? part.key : part)),
    rule: message,
    showsValue: true,
  }
}

const AJV_OPTIONS = {
  allErrors: true,
  strict: true,
  // Strict about keywords that nobody knows, which are mistyped ones; not about style.
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  // In this draft `format` is an annotation.
  validateFormats: false,
  logger: false,
} as const

function jsonSchemaValidator(schema: JsonSchema): ArgumentValidator {
  const parameters = parametersOf(schema)
  const validate = compile(schema)
  return {
    parameters,
    async check(args) {
      const isValid = validate(args)
      const unknown = findUnknownArguments(parameters, args)
      if (isValid && unknown.length === 0) return { kind: 'valid', args }
      const errors = (validate.errors ?? []).filter(
        (error) => unknown.length === 0 || error.keyword !== 'additionalProperties',
      )
      return {
        kind: 'invalid',
        problem: describeProblems([...errors.map(problemOfError), ...unknown.map(problemOfUnknown)], args),
      }
    },
  }
}

function compile(schema: JsonSchema): ReturnType<Ajv2020['compile']> {
  try {
    // One instance a tool, because several schemas may have the same `$id`.
    return new Ajv2020(AJV_OPTIONS).compile(schema)
  } catch (error) {
    throw new UnusableInput(`must be a valid JSON Schema (draft 2020-12): ${messageOf(error)}`)
  }
}

function problemOfError({
  instancePath,
  keyword,
  params,
  message = 'is not allowed',
}: ErrorObject): ArgumentProblem {
  const path = instancePath.split('/').slice(1).map(keyOfPointer)
  if (keyword === 'required')
    return { path: [...path, String(params['missingProperty'])], rule: 'is required', showsValue: false }
  if (keyword === 'additionalProperties')
    return problemOfUnknown({ path: [...path, String(params['additionalProperty'])], known: [] })
  if (keyword === 'enum')
    return { path, rule: `must be one of ${JSON.stringify(params['allowedValues'])}`, showsValue: true }
  if (keyword === 'const')
    return { path, rule: `must be ${JSON.stringify(params['allowedValue'])}`, showsValue: true }
  return { path, rule: message, showsValue: true }
}

function keyOfPointer(part: string): PropertyKey {
  const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^\d+$/.test(key) ? Number(key) : key
}

function messageOf(error: unknown): string {
  return clip(error instanceof Error ? error.message : String(error), 300)
}
