/**
 * Guardrails: what judges the inputs of a Turn before a model sees them, and a model's texts before anybody does.
 *
 * They fail closed: a guardrail that throws, takes too long, is gone, or says something that is no verdict blocks.
 */
import type { SessionKey } from './ids.ts'
import { isId } from './ids.ts'
import type { Content, Message } from './message.ts'

export interface GuardrailContext {
  /** Aborted when the Turn is stopped, the worker shuts down, or the time limit is up. */
  readonly signal: AbortSignal
  readonly session: SessionKey
  readonly turnId: string
  /** What came before, as a model would see it. */
  readonly conversation: readonly Message[]
}

export type InputVerdict =
  | { readonly verdict: 'pass' }
  /** `content` stands in place of the input from here on, for the model and for what judges next. */
  | { readonly verdict: 'rewrite'; readonly content: Content }
  /** The Turn ends `blocked`, and the input never reaches a model. */
  | { readonly verdict: 'block'; readonly reason: string }

export type OutputVerdict =
  | { readonly verdict: 'pass' }
  /** `content` is what the model said, for everybody; the original is kept nowhere. */
  | { readonly verdict: 'rewrite'; readonly content: string }
  | { readonly verdict: 'block'; readonly reason: string }
  /** The model is asked once more, with the reason; after `maxObjections` of a Turn it is blocked. */
  | { readonly verdict: 'object'; readonly reason: string }
  /**
   * A human decides, and nobody else sees it until then. The guardrails after this one judge it first: what they
   * block or object to is no question for a human.
   */
  | { readonly verdict: 'hold'; readonly reason: string }

export interface InputGuardrail {
  readonly name: string
  /** Default 30,000. */
  readonly timeoutMs?: number
  /** May run again for the same input, when its worker died before the judgement was in the log. */
  judge(content: Content, context: GuardrailContext): InputVerdict | Promise<InputVerdict>
}

export interface OutputGuardrail {
  readonly name: string
  /** Default 30,000. */
  readonly timeoutMs?: number
  /** May run again for the same text, when its worker died before the judgement was in the log. */
  judge(text: string, context: GuardrailContext): OutputVerdict | Promise<OutputVerdict>
}

/** The guardrails of an agent, in the order in which they judge; a rewrite is judged by the next. */
export interface Guardrails {
  readonly input?: readonly InputGuardrail[]
  readonly output?: readonly OutputGuardrail[]
  /** How often the guardrails may object to the texts of one Turn. Default 2. */
  readonly maxObjections?: number
}

/** Which guardrails an agent has, as plain data. */
export interface GuardrailSnapshot {
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly maxObjections: number
}

/** What the guardrails of one stage came to. `guardrail` is the one that decided. */
export type Judgement<T> =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'rewrite'; readonly guardrail: string; readonly content: T }
  | { readonly verdict: 'block' | 'object'; readonly guardrail: string; readonly reason: string }

/** What the guardrails said of a text: a judgement, or that a human is to judge what they left of it. */
export type OutputJudgement = Judgement<string> | HoldJudgement<string>

export interface HoldJudgement<T> {
  readonly verdict: 'hold'
  readonly guardrail: string
  readonly reason: string
  /** Set when guardrails changed it. */
  readonly content?: T
}

export const DEFAULT_GUARDRAIL_TIMEOUT_MS = 30_000
const MAX_TIMEOUT_MS = 5 * 60_000
const DEFAULT_OBJECTIONS = 2

type Problem = (field: string, rule: string) => never

/** Checks a definition and names its guardrails; undefined when there are none. */
export function snapshotGuardrails(
  given: Guardrails | undefined,
  problem: Problem,
): GuardrailSnapshot | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'object' || given === null) problem('guardrails', 'must be { input, output }')
  const { maxObjections = DEFAULT_OBJECTIONS } = given
  if (!Number.isInteger(maxObjections) || maxObjections < 0)
    problem('guardrails.maxObjections', `must be a whole number from 0 on, not ${String(maxObjections)}`)
  const input = namesOf('input', given.input ?? [], problem)
  const output = namesOf('output', given.output ?? [], problem)
  return input.length + output.length === 0 ? undefined : { input, output, maxObjections }
}

function namesOf(
  stage: 'input' | 'output',
  guardrails: readonly (InputGuardrail | OutputGuardrail)[],
  problem: Problem,
): readonly string[] {
  const list = `guardrails.${stage}`
  if (!Array.isArray(guardrails)) problem(list, 'must be a list of guardrails')
  for (const [index, one] of guardrails.entries()) {
    const field = `${list}[${index}]`
    if (typeof one !== 'object' || one === null) problem(field, 'must be { name, judge }')
    const { name, judge, timeoutMs = DEFAULT_GUARDRAIL_TIMEOUT_MS } = one
    if (!isId(name)) problem(`${field}.name`, 'must be 1 to 128 characters out of A-Z a-z 0-9 _ . -')
    if (typeof judge !== 'function') problem(`${field}.judge`, 'must be a function')
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS)
      problem(`${field}.timeoutMs`, `must be a whole number from 1 to ${MAX_TIMEOUT_MS}`)
    if (guardrails.findIndex((other) => other?.name === name) < index)
      problem(`${field}.name`, `${JSON.stringify(name)} is there twice`)
  }
  return guardrails.map(({ name }) => name)
}
