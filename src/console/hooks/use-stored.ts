import { useCallback, useState } from 'react'

/** A word that this browser remembers. */
export function useStored(key: string, initial: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => {
    try {
      return localStorage.getItem(key) ?? initial
    } catch {
      return initial
    }
  })
  const store = useCallback(
    (next: string) => {
      setValue(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // A browser that keeps nothing forgets it.
      }
    },
    [key],
  )
  return [value, store]
}
