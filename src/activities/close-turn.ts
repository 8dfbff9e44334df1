/**
 * Closing a Turn: a receipt for every open call, a fate for every input, `turn/end`.
 *
 * Depends on as little as possible: the log and, where it can be had, the agent's snapshot for the tools'
 * effects. What is missing is answered with the careful choice.
 */
import { closeTurnEvents } from '../core/close-turn-events.ts'
import { isTurnstepError } from '../core/errors.ts'
import type { EndReason, EventOf, NewEvent } from '../core/event.ts'
import { receipt } from '../core/decide-step.ts'
import type { SessionKey } from '../core/ids.ts'
import { inputKey, parseCallId, turnKey } from '../core/ids.ts'
import type { LogHead, OpenTurn } from '../core/log-head.ts'
import type { SessionStore } from '../core/ports.ts'
import type { ToolEffect } from '../core/receipt.ts'
import { synthesizedText } from '../core/receipt.ts'
import type { AgentSnapshots } from './agent-snapshots.ts'
import { sessionOfActivity } from './attempt.ts'
import type { CloseTurnAnswer, CloseTurnRequest } from './contracts.ts'
import { resolveContent } from './resolve-inputs.ts'

export interface CloseTurnPorts {
  readonly store: SessionStore
  readonly snapshots: AgentSnapshots
}

/** Why and with what a Turn is closed. */
type Closing = Pick<CloseTurnRequest, 'turnId' | 'turn' | 'reason' | 'code' | 'withdraw' | 'refused'>

export async function closeTurn(ports: CloseTurnPorts, request: CloseTurnRequest): Promise<CloseTurnAnswer> {
  const { store } = ports
  const key = sessionOfActivity()
  await commitReceipts(store, key, request)
  const end = await close(ports, key, request)
  const withdrawn = (request.withdraw ?? []).map(({ id }) => id)
  const offered = request.offered ?? []
  const fates = await Promise.all(offered.map((id) => store.find(key, inputKey(id))))
  return {
    reason: end.reason,
    ...(end.code === undefined ? {} : { code: end.code }),
    recorded: {
      settled: [...withdrawn, ...offered.filter((_, index) => fates[index] !== undefined)],
      refused: request.refused?.length ?? 0,
    },
  }
}

/** Closes a Turn whose workflow execution ended without closing it. */
export async function closeAbandoned(ports: CloseTurnPorts, key: SessionKey, head: LogHead): Promise<void> {
  if (head.open === undefined) return
  const { turnId, turn } = head.open
  await close(ports, key, { turnId, turn, reason: 'error', code: 'terminated' })
}

/** Reads the Turn, decides what is missing, appends it; again if the log has grown in between. */
async function close(
  ports: CloseTurnPorts,
  key: SessionKey,
  closing: Closing,
): Promise<{ readonly reason: EndReason; readonly code?: string }> {
  const { store } = ports
  const { turnId } = closing
  const withdrawn = await Promise.all(
    (closing.withdraw ?? []).map(async ({ id, content }) => ({
      id,
      content: (await resolveContent(store, key.tenant, content)) ?? '',
    })),
  )
  for (;;) {
    const head = await store.head(key)
    const events = await store.read(key, { turnId })
    const started = events.find((event): event is EventOf<'turn/start'> => event.type === 'turn/start')
    const details = { turnId, withdrawn, refused: closing.refused ?? [], cost: null }
    const append =
      started === undefined
        ? behindEvents(closing)
        : closeTurnEvents({
            ...details,
            events,
            reason: closing.reason,
            ...(closing.code === undefined ? {} : { code: closing.code }),
            effects: await effectsOf(ports, key, started.agentDigest),
            live: await liveTextOf(ports, key, { open: head.open, agentDigest: started.agentDigest, turnId }),
          })
    const result = await store.commit(key, {
      keys: [turnKey(turnId, 'end')],
      decide: (view) =>
        view.head.seq === head.seq ? { append, answer: true } : { append: [], answer: false },
    })
    if (result.kind === 'refused' || !result.answer) continue
    const end = await store.find(key, turnKey(turnId, 'end'))
    if (end?.type === 'turn/end') return end
    return { reason: 'error', code: 'log-behind' }
  }
}

/** The Turn is not in the log at all, because the store is behind: nothing of it can be closed. */
function behindEvents(closing: Closing): readonly NewEvent[] {
  return (closing.refused ?? []).map(({ id, reason }) => ({
    type: 'input/refused',
    turnId: null,
    turn: null,
    key: inputKey(id),
    inputId: id,
    reason,
  }))
}

/** Receipts that the workflow decided and no model call has written. */
async function commitReceipts(store: SessionStore, key: SessionKey, request: CloseTurnRequest): Promise<void> {
  const { turnId, turn, receipts = [] } = request
  if (receipts.length === 0) return
  await store.commit(key, {
    keys: [],
    decide: () => ({
      append: receipts.map(([callId, kind]) =>
        receipt({ turnId, turn, step: parseCallId(callId)?.step ?? 0, callId, kind, content: synthesizedText(kind) }),
      ),
      answer: undefined,
    }),
  })
}

async function effectsOf(
  ports: CloseTurnPorts,
  key: SessionKey,
  digest: string,
): Promise<Readonly<Record<string, ToolEffect>>> {
  const snapshot = await ports.snapshots.load(key.tenant, digest).catch((error: unknown) => {
    if (isTurnstepError(error) && error.retryable) throw error
    return undefined
  })
  return Object.fromEntries((snapshot?.tools ?? []).map(({ name, effect }) => [name, effect]))
}

/** What the user saw of a message whose worker died. */
async function liveTextOf(
  ports: CloseTurnPorts,
  key: SessionKey,
  of: { readonly open: OpenTurn | undefined; readonly agentDigest: string; readonly turnId: string },
): Promise<{ readonly text: string; readonly model: string; readonly inputTokens: number }> {
  const snapshot = await ports.snapshots.load(key.tenant, of.agentDigest).catch(() => undefined)
  const none = { text: '', model: snapshot?.model ?? 'unknown', inputTokens: 0 }
  if (of.open?.turnId !== of.turnId || !of.open.isStepOpen) return none
  const { step } = of.open
  const deltas = await ports.store.readLive(key)
  const shown = deltas.filter((delta) => delta.turnId === of.turnId && delta.step === step)
  return { ...none, text: shown.map((delta) => delta.text ?? '').join('') }
}
