import { useCallback, useEffect } from 'react'
import { useStored } from './use-stored.ts'

const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** The colours of the page: those of the system, or always the same. Kept in this browser. */
export function useTheme(): { readonly theme: Theme; readonly next: () => void } {
  const [stored, store] = useStored('turnstep-theme', 'system')
  const theme = THEMES.find((one) => one === stored) ?? 'system'
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
  const next = useCallback(
    () => store(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'),
    [store, theme],
  )
  return { theme, next }
}
