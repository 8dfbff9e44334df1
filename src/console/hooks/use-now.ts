import { useEffect, useState } from 'react'

/** The time, renewed every second while it is wanted. */
export function useNow(isWanted = true): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isWanted) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isWanted])
  return now
}
