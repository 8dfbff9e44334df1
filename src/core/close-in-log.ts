/**
 * Closing a Turn in its log: reads what is there, decides what is missing, appends it.
 *
 * Depends on as little as possible: the log and, where it can be had, the agent's snapshot for the tools'
 * effects. What is missing is answered with the careful choice. Running it again changes nothing.
 */
import { refusals } from './claim-inputs.ts'
import { closeTurnEvents } from './close-turn-events.ts'
import type { DecidedReceipt } from './decide-step.ts'
import { deriveMessages } from './derive-messages.ts'
import { TurnstepError } from './errors.ts'
import type { EndReason, EventOf, NewEvent } from './event.ts'
import type { SessionKey } from './ids.ts'
import { inputKey, turnKey } from './ids.ts'
import { loadSnapshot } from './load-snapshot.ts'
import type { LogHead } from './log-head.ts'
import { type Content, charactersOf } from './message.ts'
import type { SessionStore } from './ports.ts'
import { estimateTokens } from './usage.ts'
import type { RefusedInput } from './wire.ts'

/** Why and with what a Turn is closed. */
export interface LogClosing {
  readonly turnId: string
  readonly reason: EndReason
  readonly code?: string
  readonly scope?: 'session'
  /** Receipts that the workflow decided and no model call has written. */
  readonly receipts?: readonly DecidedReceipt[]
  readonly withdrawn?: readonly { readonly id: string; readonly content: Content }[]
  readonly refused?: readonly RefusedInput[]
  /** The last `seq` that the workflow has heard of. A log that ends before it lacks what the Turn did. */
  readonly seenSeq?: number
}

const LOG_BEHIND = { reason: 'error', code: 'log-behind' } as const

/** Each is lost only to a commit of somebody else's. */
const MAX_TRIES = 50

/**
 * Closes a Turn, and answers how it ended by its log, which is how it was closed first. Decides anew when the
 * log has grown in between. A Turn that the log does not have, because the store is behind, is `log-behind`.
 */
export async function closeInLog(
  store: SessionStore,
  key: SessionKey,
  closing: LogClosing,
): Promise<{ readonly reason: EndReason; readonly code?: string }> {
  const { turnId, seenSeq = 0 } = closing
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const head = await store.head(key)
    const withdrawn = await withoutFate(store, key, closing.withdrawn)
    const refused = await withoutFate(store, key, closing.refused)
    const events = await store.read(key, { turnId })
    const started = events.find((event): event is EventOf<'turn/start'> => event.type === 'turn/start')
    const append =
      started === undefined
        ? [...refusals(refused), ...withdrawn.map(withdrawal)]
        : closeTurnEvents({
            ...closing,
            ...(head.seq < seenSeq ? { ...LOG_BEHIND, scope: undefined } : {}),
            withdrawn,
            refused,
            events,
            ...(await surroundings(store, key, { started, head })),
          })
    const appended = await appendAt(store, key, head, append)
    if (!appended) continue
    if (head.open?.turnId === turnId) await store.clearLive(key, { turnId, step: head.open.step })
    const end = await store.find(key, turnKey(turnId, 'end'))
    return end?.type === 'turn/end' ? end : LOG_BEHIND
  }
  throw new TurnstepError(
    'store-unavailable',
    `The log grew ${MAX_TRIES} times while turn ${turnId} was being closed.`,
  )
}

/** An input that is taken back outside a Turn. */
function withdrawal({ id, content }: { readonly id: string; readonly content: Content }): NewEvent {
  return { type: 'input/withdrawn', turnId: null, turn: null, key: inputKey(id), inputId: id, content }
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

/** The tools' effects, the price of the model, and what the user saw of a message whose worker died. */
async function surroundings(
  store: SessionStore,
  key: SessionKey,
  of: { readonly started: EventOf<'turn/start'>; readonly head: LogHead },
): Promise<Pick<Parameters<typeof closeTurnEvents>[0], 'effects' | 'live' | 'price'>> {
  const { turnId, agentDigest } = of.started
  const snapshot = await loadSnapshot(store, key.tenant, agentDigest)
  const { open } = of.head
  const live = open?.turnId === turnId && open.isStepOpen ? await store.readLive(key) : []
  const shown = live.filter((delta) => delta.turnId === turnId && delta.step === open?.step)
  const text = shown.map((delta) => delta.text ?? '').join('')
  const attempt = shown[0]?.attempt
  return {
    price: snapshot?.price,
    effects: Object.fromEntries((snapshot?.tools ?? []).map(({ name, effect }) => [name, effect])),
    live: {
      text: text.toWellFormed(),
      model: snapshot?.model ?? 'unknown',
      inputTokens: text === '' ? 0 : await inputTokensOf(store, key),
      ...(attempt === undefined ? {} : { attempt }),
    },
  }
}

/** Inputs that another Turn, or an earlier attempt, has not settled yet. */
async function withoutFate<T extends { readonly id: string }>(
  store: SessionStore,
  key: SessionKey,
  inputs: readonly T[] = [],
): Promise<readonly T[]> {
  const fates = await Promise.all(inputs.map(({ id }) => store.find(key, inputKey(id))))
  return inputs.filter((_, index) => fates[index] === undefined)
}

/** Estimate of what the request held whose answer was shown; the log is read whole only for that. */
async function inputTokensOf(store: SessionStore, key: SessionKey): Promise<number> {
  const messages = deriveMessages(await store.read(key))
  return estimateTokens(messages.reduce((sum, message) => sum + charactersOf(message), 0))
}
