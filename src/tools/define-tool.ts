/**
 * The definition of a tool, checked where it is written: a mistake shows when the worker starts, not when a
 * model first calls the tool.
 */
import { SMALLEST_MAX_CHARACTERS } from '../core/bound-text.ts'
import { defined } from '../core/defined.ts'
import { TurnstepError } from '../core/errors.ts'
import type { CallPreview, RiskLevel } from '../core/event.ts'
import type { ResultPolicy, ToolDescription, ToolRunContext } from '../core/ports.ts'
import type { ToolEffect } from '../core/receipt.ts'
import { policyProblem, type RedactionPolicy } from '../core/redaction/redaction-policy.ts'
import { type CheckedArguments, createValidator, UnusableInput } from './argument-validator.ts'
import { type FileChange, fileDiff } from './file-diff.ts'
import type { ArgumentsOf, ToolInput } from './input-schema.ts'
import { pickFields } from './pick-fields.ts'

export interface ToolDefinition<Input extends ToolInput> {
  /** What the model calls it by: 1 to 64 of `a-z A-Z 0-9 _ -`. */
  readonly name: string
  readonly description: string
  /** Appended to the description that the model reads. */
  readonly whenNotToUse?: string
  /**
   * Schema of the arguments, an object schema. Arguments that it does not name are refused unless it says
   * otherwise (`z.looseObject`, `additionalProperties`), also where the schema library would drop them.
   */
  readonly input: Input
  /** Default `once`: never started twice. */
  readonly effect?: ToolEffect
  /** Default `low`. A function is handed validated arguments and must be pure; one that fails counts as `high`. */
  readonly risk?: RiskLevel | ((args: ArgumentsOf<Input>) => RiskLevel)
  /** Default 30,000; at most a day. */
  readonly timeoutMs?: number
  /** How often a failed call is tried again, at most 10. Default 0; not for `once`. */
  readonly retries?: number
  /** Marks a tool that is meant to be called again and again, with its own limits. Not for `once`. */
  readonly poll?: { readonly maxCalls?: number; readonly maxDurationMs?: number }
  /**
   * `client`: run by whoever talks to the agent. The call waits for at most `timeoutMs` until its result is posted
   * (`session.answer`), and the tool has no `run`. Default `worker`.
   */
  readonly execution?: 'worker' | 'client'
  /**
   * What a call would change in a file, shown to the human who decides on it: texts before and after, or undefined
   * where there is nothing to show. Must change nothing itself. It has 5 s; one that fails shows nothing.
   */
  readonly preview?: (
    args: ArgumentsOf<Input>,
    context: PreviewContext,
  ) => FileChange | undefined | Promise<FileChange | undefined>
  /** What becomes of a result before the model reads it. */
  readonly result?: ResultOptions<Input>
  /** What it returns is rendered for the model; what it throws is described to the model. */
  readonly run?: (args: ArgumentsOf<Input>, context: ToolRunContext) => unknown
}

export interface ResultOptions<Input extends ToolInput> extends ResultPolicy {
  /** The kinds of sensitive text that placeholders stand for, in what it returns and throws. Default: all. */
  readonly redact?: RedactionPolicy
  /**
   * Whether it brings in what others wrote: from then on a call of high risk asks, whatever was approved for the
   * Session. Default: true for a tool that only reads.
   */
  readonly outside?: boolean
  /** The fields that the model needs, as paths (`author.name`); of an array, of each of its items. */
  readonly fields?: readonly string[]
  /** Turns the result into what the model is to see; after redaction and `fields`. */
  readonly map?: (result: unknown, args: ArgumentsOf<Input>) => unknown
}

/** What a tool host needs of a tool. */
export interface ToolInternals {
  readonly description: ToolDescription
  check(args: unknown): Promise<CheckedArguments>
  riskOf(args: unknown): RiskLevel
  /** What the model is to see of a result. Throws what the definition's `map` throws. */
  shape(result: unknown, args: unknown): unknown
  run(args: unknown, context: ToolRunContext): unknown
  preview(args: unknown, context: PreviewContext): Promise<CallPreview | undefined>
}

type PreviewContext = Pick<ToolRunContext, 'signal' | 'session' | 'turnId'>

/** Registered, so that tools of one copy of the package work with another copy. */
const INTERNALS: unique symbol = Symbol.for('turnstep.tool.1')

/** A checked tool; made by {@link defineTool} and nothing else. */
export interface Tool {
  readonly name: string
  readonly [INTERNALS]: ToolInternals
}

/** The inside of a tool, undefined for anything that is not one. */
export function internalsOf(value: unknown): ToolInternals | undefined {
  return typeof value === 'object' && value !== null ? (value as Partial<Tool>)[INTERNALS] : undefined
}

const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'whenNotToUse',
  'input',
  'effect',
  'risk',
  'timeoutMs',
  'retries',
  'poll',
  'execution',
  'preview',
  'result',
  'run',
])
const EFFECTS: readonly unknown[] = ['read', 'idempotent', 'once'] satisfies readonly ToolEffect[]
const RISKS: readonly unknown[] = ['low', 'medium', 'high'] satisfies readonly RiskLevel[]
const MAX_TIMEOUT_MS = 24 * 60 * 60_000
const MAX_RETRIES = 10
const LARGEST_MAX_CHARACTERS = 1_000_000

/** Checks a definition and completes it. Fails with `invalid-config`, naming the tool and the field. */
export function defineTool<const Input extends ToolInput>(definition: ToolDefinition<Input>): Tool {
  const reject: Reject = (field, rule) => {
    throw new TurnstepError('invalid-config', `Tool ${nameOf(definition)}: ${field} ${rule}.`)
  }
  checkFields(definition, reject)
  const { name, risk = 'low', effect = 'once', retries = 0, timeoutMs = 30_000, poll, run } = definition
  const { execution, result = {} } = definition
  const validator = validatorOf(definition.input, reject)
  const description: ToolDescription = {
    name,
    description: renderDescription(definition),
    parameters: validator.parameters,
    effect,
    risk: typeof risk === 'function' ? 'by-arguments' : risk,
    timeoutMs,
    retries,
    ...(poll === undefined ? {} : { poll: { ...poll } }),
    ...(execution === 'client' ? { execution } : {}),
    ...(result.outside === undefined ? {} : { outside: result.outside }),
    ...policyOf(result),
    ...(result.redact === undefined ? {} : { redact: structuredClone(result.redact) }),
    ...(result.fields === undefined && result.map === undefined ? {} : { isMapped: true as const }),
  }
  const internals: ToolInternals = {
    description,
    check: (args) => validator.check(args),
    riskOf: (args) => (typeof risk === 'function' ? judge(() => risk(args as ArgumentsOf<Input>)) : risk),
    shape: (value, args) => {
      const picked = result.fields === undefined ? value : pickFields(value, result.fields)
      return result.map === undefined ? picked : result.map(picked, args as ArgumentsOf<Input>)
    },
    run: (args, context) => {
      if (run === undefined) throw new TurnstepError('internal', `The tool ${name} is run by the client.`)
      return run(args as ArgumentsOf<Input>, context)
    },
    preview: async (args, context) => {
      const change = await definition.preview?.(args as ArgumentsOf<Input>, context)
      return change && fileDiff(change)
    },
  }
  return Object.freeze({ name, [INTERNALS]: internals })
}

type Reject = (field: string, rule: string) => never

function nameOf(definition: unknown): string {
  const name = (definition as { readonly name?: unknown } | null | undefined)?.name
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 80)) : '(without a name)'
}

function checkFields(definition: ToolDefinition<ToolInput>, reject: Reject): void {
  if (typeof definition !== 'object' || definition === null) reject('definition', 'must be an object')
  const unknown = Object.keys(definition).find((field) => !FIELDS.has(field))
  if (unknown !== undefined)
    reject(unknown, `is not a field of a tool; the fields are ${[...FIELDS].join(', ')}`)
  if (typeof definition.name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(definition.name)) {
    reject('name', 'must be 1 to 64 characters out of a-z A-Z 0-9 _ -')
  }
  if (!isText(definition.description))
    reject('description', 'must be a text that tells the model what the tool does')
  if (definition.whenNotToUse !== undefined && !isText(definition.whenNotToUse))
    reject('whenNotToUse', 'must be a text')
  checkExecution(definition, reject)
  checkPolicy(definition, reject)
}

function checkExecution(
  { execution = 'worker', run, retries = 0, poll, preview, result }: ToolDefinition<ToolInput>,
  reject: Reject,
): void {
  if (execution !== 'worker' && execution !== 'client') reject('execution', "must be 'worker' or 'client'")
  if (execution === 'worker' && typeof run !== 'function') reject('run', 'must be a function')
  if (execution === 'client' && run !== undefined) reject('run', 'must be left out: the client runs it')
  if (execution === 'client' && retries !== 0) reject('retries', 'must be left out: the client runs it')
  if (execution === 'client' && poll !== undefined) reject('poll', 'must be left out: the client runs it')
  if (preview !== undefined && typeof preview !== 'function') reject('preview', 'must be a function')
  if (execution === 'client' && preview !== undefined)
    reject('preview', 'must be left out: the client runs it')
  if (result !== undefined) checkResult(result, execution, reject)
}

const RESULT_FIELDS: ReadonlySet<string> = new Set([
  'outside',
  'fields',
  'map',
  'maxCharacters',
  'spill',
  'redact',
])

function checkResult(result: ResultOptions<ToolInput>, execution: 'worker' | 'client', reject: Reject): void {
  if (typeof result !== 'object' || result === null) reject('result', 'must be an object')
  const { redact, outside, fields, map } = result
  const unknown = Object.keys(result).find((field) => !RESULT_FIELDS.has(field))
  if (unknown !== undefined)
    reject(`result.${unknown}`, `is not a field; the fields are ${[...RESULT_FIELDS].join(', ')}`)
  const problem = redact === undefined ? undefined : policyProblem(redact)
  if (problem !== undefined) reject(`result.redact${problem.field}`, problem.rule)
  if (outside !== undefined && typeof outside !== 'boolean') reject('result.outside', 'must be a boolean')
  if (map !== undefined && typeof map !== 'function') reject('result.map', 'must be a function')
  if (fields !== undefined && !(Array.isArray(fields) && fields.length > 0 && fields.every(isText)))
    reject('result.fields', "must be a list of paths, ['title', 'author.name'] say")
  if (execution === 'client' && (map !== undefined || fields !== undefined))
    reject('result', 'can have neither fields nor map for a tool that the client runs')
  checkResultPolicy(result, reject)
}

function checkResultPolicy({ maxCharacters, spill }: ResultPolicy, reject: Reject): void {
  const [least, most] = [SMALLEST_MAX_CHARACTERS, LARGEST_MAX_CHARACTERS]
  if (maxCharacters !== undefined && !(isCount(maxCharacters, most) && maxCharacters >= least))
    reject('result.maxCharacters', `must be a whole number from ${least} to ${most}`)
  if (spill !== undefined && spill !== 'never') reject('result.spill', "must be 'never' or left out")
}

function policyOf({ maxCharacters, spill }: ResultPolicy): { readonly result?: ResultPolicy } {
  if (maxCharacters === undefined && spill === undefined) return {}
  return { result: defined({ maxCharacters, spill }) }
}

function checkPolicy(
  { effect = 'once', risk = 'low', timeoutMs = 1, retries = 0, poll }: ToolDefinition<ToolInput>,
  reject: Reject,
): void {
  if (!EFFECTS.includes(effect)) reject('effect', "must be 'read', 'idempotent' or 'once'")
  if (typeof risk !== 'function' && !RISKS.includes(risk))
    reject('risk', "must be 'low', 'medium', 'high' or a function of the arguments")
  if (!isCount(timeoutMs, MAX_TIMEOUT_MS))
    reject('timeoutMs', `must be a whole number from 1 to ${MAX_TIMEOUT_MS}`)
  if (retries !== 0 && !isCount(retries, MAX_RETRIES))
    reject('retries', `must be a whole number from 0 to ${MAX_RETRIES}`)
  if (retries !== 0 && effect === 'once')
    reject('retries', "must be 0 while effect is 'once', which is never started twice")
  if (poll !== undefined) checkPoll(poll, effect, reject)
}

function checkPoll(
  poll: NonNullable<ToolDefinition<ToolInput>['poll']>,
  effect: ToolEffect,
  reject: Reject,
): void {
  if (effect === 'once') reject('poll', "needs effect 'read' or 'idempotent'")
  const { maxCalls, maxDurationMs } = poll
  if (maxCalls === undefined && maxDurationMs === undefined)
    reject('poll', 'must set maxCalls, maxDurationMs or both')
  if (maxCalls !== undefined && !isCount(maxCalls)) reject('poll.maxCalls', 'must be a whole number above 0')
  if (maxDurationMs !== undefined && !isCount(maxDurationMs))
    reject('poll.maxDurationMs', 'must be a whole number above 0')
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isCount(value: unknown, max = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max
}

function validatorOf(input: ToolInput, reject: Reject) {
  try {
    return createValidator(input)
  } catch (error) {
    if (error instanceof UnusableInput) return reject('input', error.message)
    throw error
  }
}

function renderDescription({ description, whenNotToUse }: ToolDefinition<ToolInput>): string {
  const does = description.trim()
  return whenNotToUse === undefined ? does : `${does}\n\nWhen not to use it: ${whenNotToUse.trim()}`
}

/** A judgement that cannot be had is the strictest one. */
function judge(risk: () => unknown): RiskLevel {
  try {
    const level = risk()
    return RISKS.includes(level) ? (level as RiskLevel) : 'high'
  } catch {
    return 'high'
  }
}
