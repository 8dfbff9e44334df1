/**
 * Running a tool's function within its time, and until it is told to stop.
 */

export type Ended<T> = { readonly durationMs: number } & (
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out' }
  /** Told to stop from outside, and returned nothing since. */
  | { readonly kind: 'aborted' }
)

/** How long a function that was told to stop may still return something real. */
const GRACE_MS = 500

/**
 * Runs `work` with a signal that is aborted after `timeoutMs`, or when `outer` is.
 *
 * What it throws after that is not its own failure, because it was told to stop. What it returns within a
 * short grace is real after an abort; after the time limit it is too late, because a function that returns
 * early when its signal fires would pass for a success.
 */
export async function runWithin<T>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Ended<T>> {
  const startedAt = performance.now()
  const inner = new AbortController()
  const timers: NodeJS.Timeout[] = []
  let told: 'timed-out' | 'aborted' | undefined
  let giveUp = (): void => undefined
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  const stop = (kind: 'timed-out' | 'aborted', reason: unknown): void => {
    if (told !== undefined) return
    told = kind
    inner.abort(reason)
    timers.push(setTimeout(giveUp, GRACE_MS))
  }
  const onAbort = (): void => stop('aborted', outer.reason)
  outer.addEventListener('abort', onAbort, { once: true })
  if (outer.aborted) onAbort()
  timers.push(setTimeout(() => stop('timed-out', new Error(`Timed out after ${timeoutMs} ms`)), timeoutMs))
  try {
    const running = start(work, inner.signal).then(
      (value) => (told === 'timed-out' ? { kind: told } : { kind: 'returned' as const, value }),
      (error: unknown) => (told === undefined ? { kind: 'threw' as const, error } : { kind: told }),
    )
    const ended = await Promise.race([running, givenUp.then(() => ({ kind: told ?? ('aborted' as const) }))])
    return { ...ended, durationMs: Math.round(performance.now() - startedAt) }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    outer.removeEventListener('abort', onAbort)
  }
}

/** Starts the work; what it throws at once is a rejection like any other. */
async function start<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return work(signal)
}
