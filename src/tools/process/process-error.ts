/**
 * Programs that cannot be started, told to the model without their arguments, which may hold secrets.
 */
import { statSync } from 'node:fs'
import { clip } from '../../core/printable-text.ts'

/** Nothing was run. */
export class ProcessError extends Error {
  override readonly name = 'ProcessError'
  readonly guidance = 'Nothing was run. The same call will fail the same way until this is changed.'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be run: it is not executable, or its folder may not be entered',
  EPERM: 'may not be run',
  E2BIG: 'cannot be started: its arguments and environment are too long',
  ENOTDIR: 'was not found',
  ENOENT: 'was not found',
  ELOOP: 'was not found',
  ENOEXEC: 'is not a program that this machine can run',
  EAGAIN: 'cannot be started: this machine has no room for another process',
  EMFILE: 'cannot be started: this process has too many files open',
  ERR_INVALID_ARG_VALUE: 'cannot be started: neither a command nor its arguments may be empty or hold NUL',
}

export function explainStartFailure(cause: unknown, command: string, cwd: string | undefined): ProcessError {
  const { code } = cause as { readonly code?: unknown }
  if (cwd !== undefined && !isFolder(cwd))
    return new ProcessError(`The folder ${quote(cwd)} to run ${quote(command)} in is not there.`)
  const reason = REASONS[String(code)] ?? `cannot be started (${String(code)})`
  return new ProcessError(`The program ${quote(command)} ${reason}.`)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function quote(text: string): string {
  return JSON.stringify(clip(text, 200))
}
