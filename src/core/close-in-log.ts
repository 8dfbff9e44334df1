/**
 * Closing a Turn in its log: reads what is there, decides what is missing, appends it.
 *
 * Depends on as little as possible: the log and, where it can be had, the agent's snapshot for the tools'
 * effects. What is missing is answered with the careful choice. Running it again changes nothing.
 */
import type { AgentSnapshot } from './agent.ts'
import { refusals } from './claim-inputs.ts'
import { closeTurnEvents } from './close-turn-events.ts'
import { isTurnstepError } from './errors.ts'
import type { EndReason, EventOf, NewEvent } from './event.ts'
import type { SessionKey } from './ids.ts'
import { turnKey } from './ids.ts'
import type { LogHead } from './log-head.ts'
import type { Content } from './message.ts'
import type { SessionStore } from './ports.ts'
import type { RefusedInput } from './wire.ts'

/** Why and with what a Turn is closed. */
export interface LogClosing {
  readonly turnId: string
  readonly reason: EndReason
  readonly code?: string
  readonly withdrawn?: readonly { readonly id: string; readonly content: Content }[]
  readonly refused?: readonly RefusedInput[]
}

/**
 * Closes a Turn, and answers how it ended by its log, which is how it was closed first. Decides anew when the
 * log has grown in between. A Turn that the log does not have, because the store is behind, is `log-behind`.
 */
export async function closeInLog(
  store: SessionStore,
  key: SessionKey,
  closing: LogClosing,
): Promise<{ readonly reason: EndReason; readonly code?: string }> {
  const { turnId, withdrawn = [], refused = [] } = closing
  for (;;) {
    const head = await store.head(key)
    const events = await store.read(key, { turnId })
    const started = events.find((event): event is EventOf<'turn/start'> => event.type === 'turn/start')
    const append =
      started === undefined
        ? refusals(refused)
        : closeTurnEvents({
            ...closing,
            withdrawn,
            refused,
            events,
            cost: null,
            ...(await surroundings(store, key, { started, head })),
          })
    const appended = await appendAt(store, key, head, append)
    if (!appended) continue
    if (head.open?.turnId === turnId) await store.clearLive(key, { turnId, step: head.open.step })
    const end = await store.find(key, turnKey(turnId, 'end'))
    return end?.type === 'turn/end' ? end : { reason: 'error', code: 'log-behind' }
  }
}

/** Closes the open Turn of a workflow execution that ended without closing it. */
export async function closeAbandoned(store: SessionStore, key: SessionKey, head: LogHead): Promise<void> {
  if (head.open === undefined) return
  await closeInLog(store, key, { turnId: head.open.turnId, reason: 'error', code: 'terminated' })
}

/** Appends only if the log still stands where it was read. */
async function appendAt(
  store: SessionStore,
  key: SessionKey,
  head: LogHead,
  append: readonly NewEvent[],
): Promise<boolean> {
  const result = await store.commit(key, {
    keys: [],
    decide: (view) => (view.head.seq === head.seq ? { append, answer: true } : { append: [], answer: false }),
  })
  return result.kind === 'committed' && result.answer
}

/** The tools' effects, and what the user saw of a message whose worker died. */
async function surroundings(
  store: SessionStore,
  key: SessionKey,
  of: { readonly started: EventOf<'turn/start'>; readonly head: LogHead },
): Promise<Pick<Parameters<typeof closeTurnEvents>[0], 'effects' | 'live'>> {
  const { turnId, agentDigest } = of.started
  const snapshot = await snapshotOf(store, key, agentDigest)
  const { open } = of.head
  const shown = open?.turnId === turnId && open.isStepOpen ? await store.readLive(key) : []
  const text = shown
    .filter((delta) => delta.turnId === turnId && delta.step === open?.step)
    .map((delta) => delta.text ?? '')
    .join('')
  return {
    effects: Object.fromEntries((snapshot?.tools ?? []).map(({ name, effect }) => [name, effect])),
    live: { text: text.toWellFormed(), model: snapshot?.model ?? 'unknown', inputTokens: 0 },
  }
}

async function snapshotOf(
  store: SessionStore,
  key: SessionKey,
  digest: string,
): Promise<AgentSnapshot | undefined> {
  try {
    const text = await store.getContent(key.tenant, digest)
    return text === undefined ? undefined : (JSON.parse(text) as AgentSnapshot)
  } catch (error) {
    if (isTurnstepError(error) && error.retryable) throw error
    return undefined
  }
}
