/**
 * A page's Session: its log and live text as they come, its status as it changes, and what can be done with it.
 */
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { readStatus } from '../api/calls.ts'
import type { StreamMessage } from '../api/event-stream-parser.ts'
import { followSession } from '../api/follow-session.ts'
import { readStreamMessage } from '../view/read-stream-message.ts'
import {
  changeSession,
  FRESH_SESSION,
  INITIAL_SESSION,
  type SessionChange,
  type SessionState,
  type StreamItem,
} from '../view/session-state.ts'
import { useIsShown } from './use-is-shown.ts'

/** How long pieces are gathered before the page is drawn. */
const GATHER_MS = 30
/** How often the status is asked for while a Turn runs, and else: other pages send inputs, too. */
const BUSY_POLL_MS = 2_000
const IDLE_POLL_MS = 8_000

export interface SessionHandle {
  readonly state: SessionState
  readonly change: (change: SessionChange) => void
  /** Asks for the status soon; follows the log anew where that was given up. */
  readonly refresh: () => void
}

export function useSession(session: string, isFresh: boolean): SessionHandle {
  const [state, change] = useReducer(changeSession, isFresh ? FRESH_SESSION : INITIAL_SESSION)
  const seq = useRef(0)
  const wanted = useRef<() => void>(() => undefined)
  const [attempt, setAttempt] = useState(0)
  const isGivenUp = state.connection.kind === 'broken' && state.connection.retryAt === undefined
  const ask = useCallback(() => wanted.current(), [])
  const refresh = useCallback(() => {
    wanted.current()
    if (isGivenUp) setAttempt((now) => now + 1)
  }, [isGivenUp])

  const isShown = useIsShown()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is a reason to begin anew.
  useEffect(() => {
    if (isFresh || !isShown) return
    const stop = new AbortController()
    const gathered = gatherItems((items) => {
      seq.current = items.findLast((item) => item.kind === 'event')?.event.seq ?? seq.current
      change({ kind: 'items', items })
    }, ask)
    const listener = {
      onOpen: () => change({ kind: 'connection', connection: { kind: 'open' } }),
      onMessages: gathered.add,
      onBroken: (
        problem: Parameters<Parameters<typeof followSession>[1]['onBroken']>[0],
        retryInMs?: number,
      ) => {
        gathered.flush()
        const retryAt = retryInMs === undefined ? {} : { retryAt: Date.now() + retryInMs }
        change({ kind: 'connection', connection: { kind: 'broken', problem, ...retryAt } })
      },
    }
    void followSession(session, listener, { signal: stop.signal, after: () => seq.current })
    return () => {
      stop.abort()
      gathered.drop()
    }
  }, [session, isFresh, isShown, ask, attempt])

  const isBusy = state.status?.phase === 'running'
  useEffect(() => {
    if (isFresh) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (): Promise<void> => {
      clearTimeout(timer)
      try {
        change({ kind: 'status', status: await readStatus(session, stop.signal) })
      } catch {
        // The stream says what is wrong with the connection; the status before stays.
      }
      if (stop.signal.aborted) return
      clearTimeout(timer)
      timer = setTimeout(() => void poll(), isBusy ? BUSY_POLL_MS : IDLE_POLL_MS)
    }
    wanted.current = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void poll(), 20)
    }
    void poll()
    return () => {
      stop.abort()
      clearTimeout(timer)
      wanted.current = () => undefined
    }
  }, [session, isFresh, isBusy])

  return { state, change, refresh }
}

interface Gathering {
  readonly add: (messages: readonly StreamMessage[]) => void
  readonly flush: () => void
  readonly drop: () => void
}

/** Gathers what a stream says for a moment, so that a page is drawn some thirty times a second at most. */
function gatherItems(deliver: (items: readonly StreamItem[]) => void, onStatus: () => void): Gathering {
  let items: StreamItem[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (items.length === 0) return
    const due = items
    items = []
    deliver(due)
  }
  const add = (messages: readonly StreamMessage[]): void => {
    for (const message of messages) {
      const item = readStreamMessage(message)
      if (item === 'status') onStatus()
      else if (item !== undefined) {
        items.push(item)
        if (item.kind === 'event') onStatus()
      }
    }
    timer ??= setTimeout(flush, GATHER_MS)
  }
  const drop = (): void => {
    clearTimeout(timer)
    items = []
  }
  return { add, flush, drop }
}
