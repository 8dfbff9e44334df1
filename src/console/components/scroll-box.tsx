import type { ReactNode, Ref } from 'react'

/** A part of the page that scrolls by itself, with the keyboard, too. */
export function ScrollBox({
  className,
  label,
  children,
  ref,
}: {
  readonly className: string
  readonly label: string
  readonly children: ReactNode
  readonly ref?: Ref<HTMLElement>
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable.
    <section ref={ref} className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
