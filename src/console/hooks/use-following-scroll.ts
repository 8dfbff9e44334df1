import { type RefObject, useEffect, useRef } from 'react'

/** Within this of the end a person is reading along, in pixels. */
const NEAR = 80

/** Keeps the end of what grows in sight, as long as the reader has not scrolled away from it. */
export function useFollowingScroll(
  region: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): void {
  const isFollowing = useRef(true)
  useEffect(() => {
    const box = region.current
    const inner = content.current
    if (box === null || inner === null) return
    const look = (): void => {
      isFollowing.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR
    }
    const follow = new ResizeObserver(() => {
      if (isFollowing.current) box.scrollTop = box.scrollHeight
    })
    box.addEventListener('scroll', look, { passive: true })
    follow.observe(inner)
    follow.observe(box)
    return () => {
      box.removeEventListener('scroll', look)
      follow.disconnect()
    }
  }, [region, content])
}
