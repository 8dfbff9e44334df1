/**
 * Following a Session's log, with live text where it is wanted, from the same or another process.
 */
import type { Event } from '../core/event.ts'
import { stepKey } from '../core/ids.ts'
import type { LiveDelta, LivePosition } from '../core/ports.ts'
import type { SessionLink } from './session-link.ts'
import { waitFor } from './wait-for-change.ts'

/** What a reader that follows live text is given. */
export type StreamItem =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'delta'; readonly delta: LiveDelta }
  /** What was shown of this Step's message is void: another attempt starts over. */
  | { readonly kind: 'reset'; readonly turnId: string; readonly step: number; readonly attempt: number }

export interface FollowOptions {
  /** Only events after this `seq`. Default 0. */
  readonly after?: number
  /** Whether to stay after the last event. Default false. */
  readonly follow?: boolean
  readonly signal?: AbortSignal
}

/** How many events are read at once. */
const PAGE = 500

/** Events in order, each exactly once; with `follow` it ends only by its signal. */
export async function* followEvents(link: SessionLink, options: FollowOptions): AsyncGenerator<Event> {
  let after = options.after ?? 0
  const isNew = async (): Promise<true | undefined> => ((await hasEvents(link, after)) ? true : undefined)
  for (;;) {
    const events = await readPage(link, after)
    yield* events
    after = events.at(-1)?.seq ?? after
    if (events.length === PAGE) continue
    if (options.follow !== true || !(await waitUntil(link, isNew, options.signal))) return
  }
}

/**
 * Events and the live text of the message that is being written, which comes after what its Step begins with. A reader who
 * joins in the middle of a message gets what was shown of it so far.
 */
export async function* followLive(link: SessionLink, options: FollowOptions): AsyncGenerator<StreamItem> {
  let after = options.after ?? 0
  let position: LivePosition | undefined
  let written: Step | undefined
  const isNew = async (): Promise<true | undefined> => {
    if (await hasEvents(link, after)) return true
    return (await link.store.readLive(link.key, position)).length > 0 ? true : undefined
  }
  for (;;) {
    // Live text is read first: when its message has been committed since, the event is in the page.
    const deltas = await link.store.readLive(link.key, position)
    const events = await readPage(link, after)
    const isLast = events.length < PAGE
    written = events.findLast((event) => event.type === 'assistant/message') ?? written
    // All of it belongs to one attempt. Its Step may begin in this page, or in one that is still to be read.
    const [first] = deltas
    const start = events.findLastIndex((event) => isBeginningOf(event, first))
    const isDue = start >= 0 || isLast
    for (const event of events.slice(0, start + 1)) yield { kind: 'event', event }
    if (first !== undefined && isDue) {
      if (!isStepOf(position, first) && !isStepOf(written, first) && (await isClosed(link, first)))
        written = { turnId: first.turnId, step: first.step }
      if (!isStepOf(written, first)) yield* shown(deltas, first, position)
      position = deltas.at(-1)
    }
    for (const event of events.slice(start + 1)) yield { kind: 'event', event }
    after = events.at(-1)?.seq ?? after
    if (!isLast) continue
    if (options.follow !== true || !(await waitUntil(link, isNew, options.signal))) return
  }
}

/** Live text of one attempt, after a reset when another attempt was shown before it. */
function* shown(
  deltas: readonly LiveDelta[],
  first: LiveDelta,
  before: LivePosition | undefined,
): Generator<StreamItem> {
  const { turnId, step, attempt } = first
  if (isStepOf(before, first) && before?.attempt !== attempt) yield { kind: 'reset', turnId, step, attempt }
  for (const delta of deltas) yield { kind: 'delta', delta }
}

/** Whether nothing is written in a Step any more: its live text may outlast it, when the worker died before it took that away. */
async function isClosed({ store, key }: SessionLink, { turnId, step }: Step): Promise<boolean> {
  const message = await store.find(key, stepKey(turnId, step, 'message'))
  return message !== undefined || (await store.find(key, stepKey(turnId, step, 'end'))) !== undefined
}

type Step = Pick<LivePosition, 'turnId' | 'step'>

/** What is committed before a Step's model is asked: its start, and the steers that it claims. */
function isBeginningOf(event: Event, delta: LiveDelta | undefined): boolean {
  if (event.type === 'step/start') return isStepOf(event, delta)
  if (event.type !== 'user/message' || event.step === undefined) return false
  return isStepOf({ turnId: event.turnId, step: event.step }, delta)
}

function isStepOf(step: Step | undefined, delta: LiveDelta | undefined): boolean {
  return step !== undefined && step.turnId === delta?.turnId && step.step === delta.step
}

async function readPage(link: SessionLink, after: number): Promise<readonly Event[]> {
  return link.store.read(link.key, { afterSeq: after, limit: PAGE })
}

async function hasEvents(link: SessionLink, after: number): Promise<boolean> {
  const { seq } = await link.store.head(link.key)
  return seq > after
}

/** Waits until `look` finds something; false when the signal fired. */
async function waitUntil(
  link: SessionLink,
  look: () => Promise<true | undefined>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return await waitFor(link.store, look, signal === undefined ? {} : { signal })
  } catch (error) {
    if (signal?.aborted === true) return false
    throw error
  }
}
