/**
 * Ctrl-C and its relatives, counted: what the first does is the command's business.
 */
import { EXIT } from './exit-code.ts'

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

/** Ends the process at the first signal: for times when nothing is under way that another process would miss. */
export function exitOnInterrupt(): () => void {
  return onInterrupt((kind) => process.exit(kind === 'interrupt' ? EXIT.aborted : EXIT.terminated))
}
