import { useCallback, useEffect, useRef, useState } from 'react'
import type { SessionSummary } from '../api/answers.ts'
import { listSessions } from '../api/calls.ts'
import { ApiProblem, unreachable } from '../api/problem.ts'

const POLL_MS = 3_000
const PAGE = 50

export interface SessionsHandle {
  /** Undefined until the first answer. */
  readonly sessions: readonly SessionSummary[] | undefined
  readonly problem: ApiProblem | undefined
  readonly refresh: () => void
  /** Undefined when all are shown. */
  readonly more: (() => void) | undefined
}

/** The list of Sessions, asked for every few seconds while the page is looked at. */
export function useSessions(): SessionsHandle {
  const [sessions, setSessions] = useState<readonly SessionSummary[]>()
  const [problem, setProblem] = useState<ApiProblem>()
  const [limit, setLimit] = useState(PAGE)
  const wanted = useRef<() => void>(() => undefined)
  const refresh = useCallback(() => wanted.current(), [])
  const more = useCallback(() => setLimit((now) => now + PAGE), [])
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') {
        try {
          const found = await listSessions(limit)
          if (!isCurrent) return
          setSessions(found)
          setProblem(undefined)
        } catch (error) {
          if (isCurrent) setProblem(error instanceof ApiProblem ? error : unreachable())
        }
      }
      clearTimeout(timer)
      if (isCurrent) timer = setTimeout(() => void ask(), POLL_MS)
    }
    wanted.current = () => void ask()
    document.addEventListener('visibilitychange', refresh)
    void ask()
    return () => {
      isCurrent = false
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [limit, refresh])
  return { sessions, problem, refresh, more: sessions?.length === limit ? more : undefined }
}
