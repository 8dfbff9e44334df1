/**
 * Judging what a model said, before anybody sees it. The judgement and what becomes of the draft are one commit.
 */
import { boundVerdict, decideOutput, draftKeys } from '../core/decide-judgement.ts'
import type { MessageOffer } from '../core/decide-step.ts'
import type { Event } from '../core/event.ts'
import type { SessionKey } from '../core/ids.ts'
import { heldKey, judgedKey, stepKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import { readOutputVerdict } from '../core/read-verdict.ts'
import { answerOf } from './answer-of.ts'
import { sessionOfActivity } from './attempt.ts'
import { commitResult } from './commit-result.ts'
import type { JudgeOutputAnswer, JudgeOutputRequest, WaitingText } from './contracts.ts'
import { holdText, waitingText } from './held-text.ts'
import type { BoundPorts } from './ports.ts'
import { runGuardrails } from './run-guardrails.ts'
import { agentOfTurn } from './turn-agent.ts'
import { spentOf } from './turn-budgets.ts'

export async function judgeOutput(
  ports: BoundPorts,
  request: JudgeOutputRequest,
  signal: AbortSignal,
): Promise<JudgeOutputAnswer> {
  const key = sessionOfActivity()
  const head = await ports.store.head(key)
  const budget = await ports.budgets.of(key, head)
  return { ...(await settleDraft(ports, { key, head, request }, signal)), ...(await spentOf(budget)) }
}

async function settleDraft(
  ports: BoundPorts,
  at: { readonly key: SessionKey; readonly head: LogHead; readonly request: JudgeOutputRequest },
  signal: AbortSignal,
): Promise<JudgeOutputAnswer> {
  const { store } = ports
  const { key, head, request } = at
  const { turnId, step, digest } = request
  if (head.seq < request.seq) return { kind: 'failed', code: 'log-behind' }
  const earlier = await store.read(key, { turnId })
  const known = recorded(earlier, request)
  if (known !== undefined) return { ...known, seq: head.seq }
  if (head.open?.turnId !== turnId || head.open.step !== step) return { kind: 'turn-closed' }
  const text = await store.getContent(key.tenant, digest)
  if (text === undefined) return { kind: 'failed', code: 'log-behind' }
  const draft = JSON.parse(text) as MessageOffer
  if (heldIn(earlier, request) === undefined) {
    const judgement = await judge(ports, { key, head, earlier, draft }, signal)
    if (judgement === undefined) return { kind: 'failed', code: 'unknown-agent' }
    const committed =
      judgement.verdict === 'hold'
        ? await holdText(ports, { key, head }, { draft, judgement })
        : await commitResult(store, key, {
            keys: draftKeys(turnId, step),
            decide: (view) => decideOutput(view, { draft, judgement }),
          })
    if (committed.kind === 'refused') return { kind: 'turn-closed' }
  }
  return settled(ports, { key, request, draft })
}

/** What the log has of the draft now: a human may have judged it in this moment. */
async function settled(
  ports: BoundPorts,
  at: { readonly key: SessionKey; readonly request: JudgeOutputRequest; readonly draft: MessageOffer },
): Promise<JudgeOutputAnswer> {
  const { store } = ports
  const { key, request, draft } = at
  const { turnId, isSteered = false } = request
  const held = heldIn(await store.read(key, { turnId }), request)
  const waiting = held && (await waitingText(ports, key, { held, draft, isSteered }))
  if (waiting !== undefined) return waiting
  const { seq } = await store.head(key)
  const answer = recorded(await store.read(key, { turnId }), request)
  return answer === undefined ? { kind: 'turn-closed' } : { ...answer, seq }
}

function heldIn(events: readonly Event[], { turnId, step }: JudgeOutputRequest) {
  const held = events.find((event) => event.key === heldKey(turnId, step))
  return held?.type === 'guardrail/held' ? held : undefined
}

async function judge(
  ports: BoundPorts,
  of: {
    readonly key: SessionKey
    readonly head: LogHead
    readonly earlier: readonly Event[]
    readonly draft: MessageOffer
  },
  signal: AbortSignal,
) {
  const { key, head, earlier, draft } = of
  const found = await agentOfTurn(ports, key, head)
  const names = found?.snapshot.guardrails
  if (found === undefined || names === undefined) return undefined
  const conversation = await ports.messages.upTo(key, head.seq)
  const { turnId, text } = draft.message
  const stage = {
    names: names.output,
    guardrails: found.agent.guardrails?.output ?? [],
    read: readOutputVerdict,
  }
  const said = await runGuardrails(stage, text, { signal, session: key, turnId, conversation })
  return boundVerdict(said, { earlier, maxObjections: names.maxObjections })
}

/** What the log says of the draft; a function of the log alone, so that a retry answers as the first attempt. */
function recorded(
  events: readonly Event[],
  at: JudgeOutputRequest,
): Exclude<JudgeOutputAnswer, WaitingText> | undefined {
  const { turnId, step } = at
  const under = (key: string): Event | undefined => events.find((event) => event.key === key)
  const message = under(stepKey(turnId, step, 'message'))
  if (message?.type === 'assistant/message') return answerOf(message, events)
  const judged = under(judgedKey(turnId, { step }))
  if (judged?.type !== 'guardrail/judged') return undefined
  return { kind: judged.verdict === 'object' ? 'objected' : 'blocked' }
}
