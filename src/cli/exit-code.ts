/**
 * Exit codes of the command line: what a script can tell of how a Turn ended.
 */
import { isTurnstepError } from '../core/errors.ts'
import type { EndReason } from '../core/event.ts'

export const EXIT = {
  completed: 0,
  failed: 1,
  usage: 2,
  handedBack: 3,
  aborted: 130,
  /** Whoever read the output has gone. */
  unread: 141,
  /** A signal asked to leave. */
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The exit code of a Turn by how it ended. Every end that is neither success, failure nor abort hands back. */
export function exitCodeOfEnd(reason: EndReason): ExitCode {
  switch (reason) {
    case 'completed':
      return EXIT.completed
    case 'error':
      return EXIT.failed
    case 'aborted':
      return EXIT.aborted
    default:
      return EXIT.handedBack
  }
}

/** The exit code of a command that failed: usage for what the caller has to put differently, else failed. */
export function exitCodeOfError(error: unknown): ExitCode {
  const isUsage =
    isTurnstepError(error) && (error.code === 'invalid-config' || error.code === 'invalid-input')
  return isUsage ? EXIT.usage : EXIT.failed
}
