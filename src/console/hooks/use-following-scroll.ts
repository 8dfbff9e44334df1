import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Within this of the end a person is reading along, in pixels. */
const NEAR = 80

export interface FollowingScroll {
  /** Whether the reader has scrolled away from the end. */
  readonly isAway: boolean
  readonly toEnd: () => void
}

/** Keeps the end of what grows in sight, as long as the reader has not scrolled away from it. */
export function useFollowingScroll(
  region: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): FollowingScroll {
  const isFollowing = useRef(true)
  const [isAway, setAway] = useState(false)
  const toEnd = useCallback(() => {
    const box = region.current
    if (box !== null) box.scrollTop = box.scrollHeight
  }, [region])
  useEffect(() => {
    const box = region.current
    const inner = content.current
    if (box === null || inner === null) return
    const look = (): void => {
      isFollowing.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR
      setAway(!isFollowing.current)
    }
    const follow = new ResizeObserver(() => {
      if (isFollowing.current) toEnd()
      else look()
    })
    box.addEventListener('scroll', look, { passive: true })
    follow.observe(inner)
    follow.observe(box)
    return () => {
      box.removeEventListener('scroll', look)
      follow.disconnect()
    }
  }, [region, content, toEnd])
  return { isAway, toEnd }
}
