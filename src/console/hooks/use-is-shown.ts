import { useEffect, useState } from 'react'

/** How long a page may be out of sight before it lets go of its connection, of which a browser has six. */
const PATIENCE_MS = 60_000

/** False once the page has not been looked at for a while, true as soon as it is again. */
export function useIsShown(): boolean {
  const [isShown, setShown] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') setShown(true)
      else timer = setTimeout(() => setShown(false), PATIENCE_MS)
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return isShown
}
