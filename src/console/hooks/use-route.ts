import { useCallback, useEffect, useState } from 'react'

/** What the address names: `/sessions/ID`, of one that is to begin with `?agent=NAME` where that is chosen. */
export interface Place {
  /** Undefined on the list. */
  readonly session: string | undefined
  /** Set for a Session that this page is about to begin. */
  readonly fresh?: { readonly agent?: string }
}

export interface Route {
  readonly place: Place
  readonly go: (place: Place) => void
}

export function useRoute(): Route {
  const [place, setPlace] = useState<Place>(placeInAddress)
  useEffect(() => {
    const follow = (): void => setPlace(placeInAddress())
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((next: Place) => {
    window.history.pushState(null, '', addressOf(next))
    setPlace(next)
  }, [])
  return { place, go }
}

/** The agent that a Session which does not exist yet is to begin with, by the address. */
export function agentInAddress(): string | undefined {
  return new URLSearchParams(window.location.search).get('agent') ?? undefined
}

function addressOf({ session, fresh }: Place): string {
  if (session === undefined) return '/'
  const query = fresh?.agent === undefined ? '' : `?agent=${encodeURIComponent(fresh.agent)}`
  return `/sessions/${encodeURIComponent(session)}${query}`
}

function placeInAddress(): Place {
  const found = /^\/sessions\/([^/]+)$/.exec(window.location.pathname)?.[1]
  return { session: found === undefined ? undefined : decode(found) }
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
