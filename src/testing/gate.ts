/**
 * A gate that a test opens: what a scripted server waits for instead of sleeping.
 */
export interface Gate {
  readonly isOpen: boolean
  /** Settles once the gate is open. */
  readonly opened: Promise<void>
  /** Idempotent. */
  open(): void
}

/** A closed gate. */
export function gate(): Gate {
  let isOpen = false
  let settle: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    settle = resolve
  })
  return {
    get isOpen() {
      return isOpen
    },
    opened,
    open: () => {
      isOpen = true
      settle()
    },
  }
}
