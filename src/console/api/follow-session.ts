/**
 * Follows a Session's log with its live text, over every interruption: reads on from the last event that came.
 *
 * The stream is read with fetch, because an EventSource does not tell why it was refused.
 */

import { credentials } from './credentials.ts'
import { EventStreamParser, type StreamMessage } from './event-stream-parser.ts'
import { type ApiProblem, problemOf, unreachable } from './problem.ts'
import { sessionPath } from './request.ts'

export interface FollowListener {
  /** The stream is open; what was live before will come again. */
  onOpen(): void
  onMessages(messages: readonly StreamMessage[]): void
  /** The stream broke, or could not be opened; it is tried again after this time, or not at all. */
  onBroken(problem: ApiProblem, retryInMs: number | undefined): void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** The gateway's heartbeats come more often; a connection that is silent for longer is dead. */
const SILENCE_MS = 60_000

/** Ends when the signal fires, or when the gateway says that trying again does not help. */
export async function followSession(
  session: string,
  listener: FollowListener,
  { signal, after }: { readonly signal: AbortSignal; after(): number },
): Promise<void> {
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    let problem = unreachable()
    try {
      const response = await open(session, after(), signal)
      if (response.ok && response.body !== null) {
        waitMs = FIRST_WAIT_MS
        listener.onOpen()
        await read(response.body, listener, signal)
      } else {
        problem = await problemOf(response)
      }
    } catch {
      // The connection failed, which the problem says.
    }
    if (signal.aborted) return
    const isFinal =
      problem.status >= 400 && problem.status < 500 && problem.status !== 408 && problem.status !== 429
    listener.onBroken(problem, isFinal ? undefined : waitMs)
    if (isFinal) return
    await pause(waitMs, signal)
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
  }
}

function open(session: string, after: number, signal: AbortSignal): Promise<Response> {
  return fetch(`${sessionPath(session, 'events')}?live=1`, {
    headers: {
      accept: 'text/event-stream',
      ...credentials(),
      ...(after > 0 ? { 'last-event-id': String(after) } : {}),
    },
    cache: 'no-store',
    signal,
  })
}

async function read(
  body: ReadableStream<Uint8Array>,
  listener: FollowListener,
  signal: AbortSignal,
): Promise<void> {
  const parser = new EventStreamParser()
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    while (!signal.aborted) {
      const silence = setTimeout(() => void reader.cancel().catch(() => undefined), SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      const messages = parser.push(decoder.decode(value, { stream: true }))
      if (messages.length > 0) listener.onMessages(messages)
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Resolves after a time, at once when the browser comes back online, or when the signal fires. */
function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, durationMs)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}
