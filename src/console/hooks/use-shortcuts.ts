import { useEffect, useRef } from 'react'
import { type ActionName, actionFor } from '../view/shortcuts.ts'

/** Calls what a pressed key means; `false` leaves the key to the browser. */
export function useShortcuts(isEnabled: boolean, perform: (action: ActionName) => boolean | undefined): void {
  const latest = useRef(perform)
  latest.current = perform
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const action = actionFor({
        key: event.key,
        isModified: event.ctrlKey || event.metaKey || event.altKey,
        isWriting: isField(event.target),
      })
      if (action === undefined || (!isEnabled && action !== 'leave')) return
      // Arrows scroll, unless something of the timeline has the focus.
      if (event.key.startsWith('Arrow') && document.activeElement?.closest('[data-nav]') == null) return
      if (document.querySelector('dialog[open]') !== null) return
      if (latest.current(action) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isEnabled])
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

/** Moves the focus to the next or previous thing of the timeline. */
export function moveFocus(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-nav]')].filter(
    (element) => element.offsetParent !== null,
  )
  const here = document.activeElement?.closest<HTMLElement>('[data-nav]')
  const index = here == null ? -1 : all.indexOf(here)
  const next = index === -1 ? (by === 1 ? all.at(-1) : all.at(-1)) : all[index + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
