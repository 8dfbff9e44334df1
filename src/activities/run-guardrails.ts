/**
 * Running the guardrails of one stage over one value, each within its time.
 */
import { CancelledFailure } from '@temporalio/common'
import type { GuardrailContext, HoldJudgement, Judgement } from '../core/guardrail.ts'
import { DEFAULT_GUARDRAIL_TIMEOUT_MS } from '../core/guardrail.ts'
import { failedClosed } from '../core/read-verdict.ts'
import { runWithin } from './run-within.ts'

type Verdict<T> =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'rewrite'; readonly content: T }
  | { readonly verdict: 'block' | 'object' | 'hold'; readonly reason: string }

/** The guardrails of one stage: which the Turn has, what this worker knows of them, how their verdicts are read. */
export interface GuardrailStage<T> {
  readonly names: readonly string[]
  readonly guardrails: readonly {
    readonly name: string
    readonly timeoutMs?: number
    judge(value: T, context: GuardrailContext): unknown
  }[]
  read(verdict: unknown): Verdict<T> | undefined
}

/**
 * Judges in order; a rewrite is judged by the next, and whoever blocks or objects has the last word. What is to be
 * held for a human is, if all the others let it pass.
 * A guardrail that throws, takes too long, is gone or says something else blocks. Fails with the reason of the
 * signal once that is aborted, whatever was said by then.
 */
export async function runGuardrails<T>(
  stage: GuardrailStage<T>,
  value: T,
  context: GuardrailContext,
): Promise<Judgement<T> | HoldJudgement<T>> {
  let judgement: Extract<Judgement<T>, { readonly verdict: 'pass' | 'rewrite' }> = { verdict: 'pass' }
  let held: HoldJudgement<T> | undefined
  for (const name of stage.names) {
    const present: T = judgement.verdict === 'rewrite' ? judgement.content : value
    const said: Verdict<T> | undefined = await judge(stage, name, { value: present, context })
    if (context.signal.aborted) throw stopped(context.signal)
    if (said === undefined) return failedClosed(name)
    if (said.verdict === 'pass') continue
    if (said.verdict === 'hold') held ??= { verdict: 'hold', guardrail: name, reason: said.reason }
    else if (said.verdict === 'rewrite') judgement = { ...said, guardrail: name }
    else return { verdict: said.verdict, guardrail: name, reason: said.reason }
  }
  if (held === undefined) return judgement
  return judgement.verdict === 'rewrite' ? { ...held, content: judgement.content } : held
}

async function judge<T>(
  stage: GuardrailStage<T>,
  name: string,
  of: { readonly value: T; readonly context: GuardrailContext },
): Promise<Verdict<T> | undefined> {
  const guardrail = stage.guardrails.find((one) => one.name === name)
  if (guardrail === undefined) return undefined
  const { timeoutMs = DEFAULT_GUARDRAIL_TIMEOUT_MS } = guardrail
  const { context } = of
  const ended = await runWithin(timeoutMs, context.signal, async (signal) =>
    stage.read(await guardrail.judge(of.value, { ...context, signal })),
  )
  return ended.kind === 'returned' ? (ended.value as Verdict<T> | undefined) : undefined
}

function stopped(signal: AbortSignal): CancelledFailure {
  return signal.reason instanceof CancelledFailure
    ? signal.reason
    : new CancelledFailure('The judgement was stopped')
}
