import { TurnstepError } from '../core/errors.ts'
import type { SessionStore } from '../core/ports.ts'

export interface WaitOptions {
  /** Fails with `timed-out` after this. Default: never. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** How long a wait may go without looking, in case something changed that the store does not tell. */
const LOOK_AGAIN_MS = 1_000

/**
 * Looks until there is an answer: at once, after each change of the store, and now and then. Fails with
 * `timed-out`, or with the signal's reason.
 */
export async function waitFor<T>(
  store: SessionStore,
  look: () => Promise<T | undefined>,
  options: WaitOptions = {},
): Promise<T> {
  const deadline = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.timeoutMs
  let changed = true
  let wake: (() => void) | undefined
  const notice = (): void => {
    changed = true
    wake?.()
  }
  const unwatch = store.watch(notice)
  options.signal?.addEventListener('abort', notice)
  try {
    for (;;) {
      options.signal?.throwIfAborted()
      changed = false
      const found = await look()
      if (found !== undefined) return found
      const leftMs = deadline - Date.now()
      if (leftMs <= 0) throw new TurnstepError('timed-out', `Nothing came within ${options.timeoutMs} ms.`)
      if (changed) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(LOOK_AGAIN_MS, leftMs))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } finally {
    unwatch()
    options.signal?.removeEventListener('abort', notice)
  }
}
