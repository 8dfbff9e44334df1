import { useCallback, useState } from 'react'

/** What is being written in a Session, kept in this tab over reloads. */
export function useDraft(session: string): readonly [string, (text: string) => void] {
  const key = `turnstep-draft-${session}`
  const [text, setText] = useState(() => {
    try {
      return sessionStorage.getItem(key) ?? ''
    } catch {
      return ''
    }
  })
  const write = useCallback(
    (next: string) => {
      setText(next)
      try {
        if (next === '') sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, next)
      } catch {
        // A browser that keeps nothing forgets it with the page.
      }
    },
    [key],
  )
  return [text, write]
}
