import { useCallback, useState } from 'react'
import { createSession } from '../api/calls.ts'
import { titleOf } from '../view/session-title.ts'
import { agentInAddress } from './use-route.ts'

export interface Beginning {
  /** Whether the Session is still to begin. */
  readonly isFresh: boolean
  /** Begins it, with what is said first as its title; does nothing for one that exists. */
  readonly begin: (text: string, isMissing: boolean) => Promise<void>
}

/** A Session begins with its first message, so that the list has none without a word. */
export function useBeginning(session: string, isNew: boolean): Beginning {
  const [isFresh, setFresh] = useState(isNew)
  const begin = useCallback(
    async (text: string, isMissing: boolean) => {
      if (!isFresh && !isMissing) return
      const agent = agentInAddress()
      await createSession({
        id: session,
        ...(agent === undefined ? {} : { agent }),
        metadata: { title: titleOf(text) },
      })
      setFresh(false)
    },
    [session, isFresh],
  )
  return { isFresh, begin }
}
