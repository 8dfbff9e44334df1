import { useCallback } from 'react'
import type { InputLane } from '../api/answers.ts'
import { type StopOptions, sendInput, stopTurn, withdrawInput } from '../api/calls.ts'
import { newInputId } from '../view/new-ids.ts'
import { type Action, useAction } from './use-action.ts'
import type { SessionHandle } from './use-session.ts'

export interface SessionActions {
  readonly send: (text: string, lane: InputLane, id?: string) => Promise<void>
  readonly stop: (options: StopOptions) => void
  readonly withdraw: (id: string) => void
  readonly sending: Action
  readonly stopping: Action
}

export interface SessionActionOptions {
  /** The Turn that runs. */
  readonly turnId: string | undefined
  /** Begins the Session where it does not exist. */
  readonly beforeSending: (text: string) => Promise<void>
}

/** What a person does to a Session, with what is shown meanwhile. */
export function useSessionActions(
  session: string,
  { change, refresh }: SessionHandle,
  { turnId, beforeSending }: SessionActionOptions,
): SessionActions {
  const sending = useAction()
  const stopping = useAction()
  const runSending = sending.run
  const runStopping = stopping.run

  const send = useCallback(
    async (text: string, lane: InputLane, id: string = newInputId()) => {
      const input = { id, lane, text }
      change({ kind: 'sent', input: { ...input, state: 'sending' } })
      const isTaken = await runSending(async () => {
        await beforeSending(text)
        await sendInput(session, { id, lane, content: text })
      })
      change({ kind: 'sent', input: { ...input, state: isTaken ? 'sent' : 'failed' } })
      if (isTaken) refresh()
    },
    [session, change, refresh, beforeSending, runSending],
  )
  const stop = useCallback(
    (options: StopOptions) => {
      const target = turnId === undefined ? {} : { turnId }
      void runStopping(() => stopTurn(session, { ...target, ...options })).then(refresh)
    },
    [session, turnId, refresh, runStopping],
  )
  const withdraw = useCallback(
    (id: string) => void runSending(() => withdrawInput(session, id)).then(refresh),
    [session, refresh, runSending],
  )
  return { send, stop, withdraw, sending, stopping }
}
