/**
 * Ctrl-C and its relatives, counted: what the first does is the command's business.
 */

/** `interrupt` is Ctrl-C; `terminate` means that somebody else ends this process. */
export type InterruptKind = 'interrupt' | 'terminate'

const SIGNALS = { SIGINT: 'interrupt', SIGTERM: 'terminate', SIGHUP: 'terminate' } as const

/** Calls `listener` at each signal, with how many have come. Returns what ends it. */
export function onInterrupt(listener: (kind: InterruptKind, count: number) => void): () => void {
  let count = 0
  const bound = Object.entries(SIGNALS).map(([signal, kind]) => {
    const heard = (): void => {
      count += 1
      listener(kind, count)
    }
    process.on(signal, heard)
    return { signal, heard }
  })
  return () => {
    for (const { signal, heard } of bound) process.off(signal, heard)
  }
}
