/**
 * A text that a guardrail holds for a human: asking, and looking whether it was decided.
 */
import { DEFAULT_POLICY } from '../core/authorize-call.ts'
import type { HeldDraft, WaitingText as Waiting } from '../core/decide-held.ts'
import { decideHold, decideWaiting, heldKeys } from '../core/decide-held.ts'
import type { MessageOffer } from '../core/decide-step.ts'
import type { EventOf } from '../core/event.ts'
import type { HoldJudgement } from '../core/guardrail.ts'
import type { SessionKey } from '../core/ids.ts'
import type { LogHead } from '../core/log-head.ts'
import type { CommitResult } from '../core/ports.ts'
import { commitResult } from './commit-result.ts'
import type { WaitingText } from './contracts.ts'
import { notifyCount } from './notify.ts'
import type { BoundPorts } from './ports.ts'
import { millisecondsUntil } from './request-approval.ts'

/** Puts the question to humans: what guardrails left of the text, kept where only who decides looks for it. */
export async function holdText(
  { store, snapshots }: BoundPorts,
  at: { readonly key: SessionKey; readonly head: LogHead },
  of: { readonly draft: MessageOffer; readonly judgement: HoldJudgement<string> },
): Promise<CommitResult<undefined>> {
  const { key, head } = at
  const { turnId, turn, step, text } = of.draft.message
  const { guardrail, reason, content } = of.judgement
  const snapshot = await snapshots.load(key.tenant, head.open?.agentDigest ?? '')
  const { approvalTimeoutMs } = snapshot?.policy ?? DEFAULT_POLICY
  const offer = {
    turnId,
    turn,
    step,
    guardrail,
    reason,
    digest: await store.putContent(key.tenant, content ?? text),
    ...(content === undefined ? {} : { isRewritten: true as const }),
    expiresAt: new Date(Date.now() + approvalTimeoutMs).toISOString(),
  }
  return commitResult(store, key, {
    keys: heldKeys(turnId, step),
    decide: (view) => decideHold(view, offer),
  })
}

/** The text that waits; undefined once it is settled, or when its Step is over. */
export async function waitingText(
  { store }: BoundPorts,
  key: SessionKey,
  of: { readonly held: EventOf<'guardrail/held'>; readonly draft: MessageOffer; readonly isSteered: boolean },
): Promise<WaitingText | undefined> {
  const { held, draft, isSteered } = of
  const text = await store.getContent(key.tenant, held.digest)
  if (text === undefined) return undefined
  const offer: HeldDraft = { draft, text }
  const result = await commitResult<Waiting>(store, key, {
    keys: heldKeys(held.turnId, held.step),
    decide: (view) => decideWaiting(view, { ...offer, isSteered, now: new Date().toISOString() }),
  })
  if (result.kind === 'refused' || result.answer.kind === 'settled') return undefined
  return {
    kind: 'waiting',
    id: held.callId,
    seq: result.head.seq,
    expiresInMs: millisecondsUntil(result.answer.expiresAt),
    ...(await notifyCount(store, key, held.turnId)),
  }
}
