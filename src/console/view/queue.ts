/**
 * Inputs that wait: those that the Session's workflow has in its lanes, and those of this page on their way to it.
 */
import type { InputLane } from '../api/answers.ts'

/** An input that this page sent. */
export interface SentInput {
  readonly id: string
  readonly lane: InputLane
  readonly text: string
  readonly state: 'sending' | 'sent' | 'failed'
}

export interface QueuedView {
  readonly id: string
  readonly lane: InputLane
  readonly text: string
  readonly state: 'sending' | 'queued' | 'failed'
}

/**
 * What waits, those for the next Step first. `settled` are the inputs whose fate is in the log: they do not wait,
 * whatever an answer that was on its way says.
 */
export function queueOf(
  pending: readonly { readonly id: string; readonly lane: InputLane; readonly text: string }[],
  sent: readonly SentInput[],
  settled: ReadonlySet<string>,
): readonly QueuedView[] {
  const known = new Set(pending.map(({ id }) => id))
  const texts = new Map(sent.map(({ id, text }) => [id, text]))
  const waiting: readonly QueuedView[] = [
    ...pending.map(({ id, lane, text }) => ({
      id,
      lane,
      text: text === '' ? (texts.get(id) ?? '') : text,
      state: 'queued' as const,
    })),
    ...sent
      .filter(({ id }) => !known.has(id))
      .map(({ id, lane, text, state }) => ({
        id,
        lane,
        text,
        state: state === 'sent' ? ('queued' as const) : state,
      })),
  ].filter(({ id }) => !settled.has(id))
  return [
    ...waiting.filter(({ lane }) => lane === 'next-step'),
    ...waiting.filter(({ lane }) => lane === 'next-turn'),
  ]
}
