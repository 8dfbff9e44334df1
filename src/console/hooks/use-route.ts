import { useCallback, useEffect, useState } from 'react'

export interface Route {
  /** The Session that is open; undefined on the list. */
  readonly session: string | undefined
  readonly go: (session: string | undefined) => void
}

/** Which Session the address names: `/sessions/ID`. */
export function useRoute(): Route {
  const [session, setSession] = useState(sessionInAddress)
  useEffect(() => {
    const follow = (): void => setSession(sessionInAddress())
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((next: string | undefined) => {
    window.history.pushState(null, '', next === undefined ? '/' : `/sessions/${encodeURIComponent(next)}`)
    setSession(next)
  }, [])
  return { session, go }
}

function sessionInAddress(): string | undefined {
  const found = /^\/sessions\/([^/]+)$/.exec(window.location.pathname)?.[1]
  return found === undefined ? undefined : decode(found)
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
