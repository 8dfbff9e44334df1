/**
 * Judging inputs: each one that a Turn has claimed, before a model sees it. One judgement an input, kept in the
 * log, so that a retry judges only what has none.
 */
import { hasBlockedInput, inputJudged } from '../core/decide-judgement.ts'
import type { GuardrailContext } from '../core/guardrail.ts'
import type { SessionKey } from '../core/ids.ts'
import type { Content } from '../core/message.ts'
import { unjudgedInputs } from '../core/pending-inputs.ts'
import { failedClosed, readInputVerdict } from '../core/read-verdict.ts'
import { sessionOfActivity } from './attempt.ts'
import { commitResult } from './commit-result.ts'
import type { JudgeInputsAnswer, JudgeInputsRequest } from './contracts.ts'
import type { BoundPorts } from './ports.ts'
import { type GuardrailStage, runGuardrails } from './run-guardrails.ts'
import { agentOfTurn } from './turn-agent.ts'

/** Judges what opened the Turn. */
export async function judgeInputs(
  ports: BoundPorts,
  request: JudgeInputsRequest,
  signal: AbortSignal,
): Promise<JudgeInputsAnswer> {
  const key = sessionOfActivity()
  const { seq } = await ports.store.head(key)
  return seq < request.seq
    ? { kind: 'failed', code: 'log-behind' }
    : judgePending(ports, { key, ...request }, signal)
}

/**
 * Judges every input of the Turn that has no judgement yet, in the order of their claims, also behind one that is
 * blocked: the others stay in the conversation. Fails with the reason of the signal once that is aborted.
 */
export async function judgePending(
  ports: BoundPorts,
  turn: { readonly key: SessionKey; readonly turnId: string },
  signal: AbortSignal,
): Promise<JudgeInputsAnswer> {
  const { store } = ports
  const { key, turnId } = turn
  const events = await store.read(key, { turnId, types: ['user/message', 'guardrail/judged'] })
  let isBlocked = hasBlockedInput(events)
  for (const input of unjudgedInputs(events)) {
    const judge = await judgeOf(ports, { key, turnId })
    if (judge.kind !== 'judge') return judge
    const said = await runGuardrails(judge.stage, input.content, { ...judge.context, signal })
    // Not a verdict on inputs, and not read as one.
    const judgement = said.verdict === 'hold' ? failedClosed(said.guardrail) : said
    const committed = await commitResult(store, key, {
      keys: [],
      decide: () => ({
        append: [inputJudged(input, { inputId: input.inputId, judgement })],
        answer: undefined,
      }),
    })
    if (committed.kind === 'refused') return { kind: 'turn-closed' }
    isBlocked ||= hasBlockedInput(committed.events)
  }
  const { seq } = await store.head(key)
  return { kind: isBlocked ? 'blocked' : 'passed', seq }
}

/** The guardrails of the Turn's agent, and what they are told beside the input. */
async function judgeOf(
  ports: BoundPorts,
  { key, turnId }: { readonly key: SessionKey; readonly turnId: string },
): Promise<
  | {
      readonly kind: 'judge'
      readonly stage: GuardrailStage<Content>
      readonly context: Omit<GuardrailContext, 'signal'>
    }
  | { readonly kind: 'turn-closed' }
  | { readonly kind: 'failed'; readonly code: string }
> {
  const head = await ports.store.head(key)
  if (head.open?.turnId !== turnId) return { kind: 'turn-closed' }
  const found = await agentOfTurn(ports, key, head)
  if (found === undefined) return { kind: 'failed', code: 'unknown-agent' }
  const stage = {
    names: found.snapshot.guardrails?.input ?? [],
    guardrails: found.agent.guardrails?.input ?? [],
    read: readInputVerdict,
  }
  const conversation = await ports.messages.upTo(key, head.seq)
  return { kind: 'judge', stage, context: { session: key, turnId, conversation } }
}
