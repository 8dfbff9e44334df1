/**
 * Keeps a server process alive exactly as long as somebody holds on to it.
 *
 * The lifeline is a named pipe. Every process that uses the server holds its writing end; a small shell beside the
 * server reads it. When the last holder lets go, by closing it or by dying in whatever way, the shell reads the end of
 * the pipe and ends the server: SIGTERM, then SIGKILL. The kernel does the counting, so a kill -9 leaves nothing.
 */
import { spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { TurnstepError } from '../core/errors.ts'
import { runCommand } from './run-command.ts'

/** How long a server may take to end after SIGTERM, in seconds. */
const TERM_GRACE_SECONDS = 10

/**
 * Arguments: pipe, file for the server's process id, then the command. The traps come after the server has started,
 * since a child inherits ignored signals; in the end the shell's own group is cleared of what still reads.
 */
const KEEPER = `
exec 3<"$1"; pidfile=$2; shift 2
"$@" 3<&- &
server=$!
echo "$server" >"$pidfile"
(
  cat <&3 >/dev/null
  kill -TERM "$server" 2>/dev/null
  n=${TERM_GRACE_SECONDS * 10}
  while [ $n -gt 0 ] && kill -0 "$server" 2>/dev/null; do sleep 0.1; n=$((n - 1)); done
  kill -KILL "$server" 2>/dev/null
) &
trap '' HUP INT TERM
exec 3<&-
wait "$server"
status=$?
kill -TERM 0
exit $status
`

/** One holder's end of a lifeline. */
export interface Lifeline {
  /** Lets go. Says whether others still hold on. */
  release(): { readonly isHeldByOthers: boolean }
}

export interface KeptServer {
  readonly lifelinePath: string
  /** Gets the server's process id. */
  readonly pidPath: string
  readonly logPath: string
  readonly command: readonly string[]
}

/** Starts a server in a process group of its own, out of reach of the terminal's Ctrl-C, on a new lifeline. */
export async function startOnLifeline(server: KeptServer): Promise<Lifeline> {
  rmSync(server.lifelinePath, { force: true })
  rmSync(server.pidPath, { force: true })
  const made = await runCommand('mkfifo', ['-m', '600', server.lifelinePath])
  if (made.code !== 0)
    throw new TurnstepError('temporal-unavailable', `${server.lifelinePath} cannot be made: ${made.lastLine}`)
  // A reader of ours first: a writing end cannot be opened without one.
  const reader = openSync(server.lifelinePath, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(server.lifelinePath, constants.O_WRONLY | constants.O_NONBLOCK)
  const log = openSync(server.logPath, 'a')
  try {
    const args = ['-c', KEEPER, 'turnstep-keeper', server.lifelinePath, server.pidPath, ...server.command]
    const keeper = spawn('/bin/sh', args, { detached: true, stdio: ['ignore', log, log] })
    await new Promise((resolve, reject) => keeper.once('spawn', resolve).once('error', reject))
    keeper.unref()
  } finally {
    closeSync(log)
    closeSync(reader)
  }
  return lifeline(server.lifelinePath, writer)
}

/** Takes hold of a server that runs; undefined when nobody watches this lifeline any more. */
export function holdLifeline(path: string): Lifeline | undefined {
  try {
    return lifeline(path, openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  } catch (error) {
    if (hasCode(error, 'ENXIO') || hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function lifeline(path: string, writer: number): Lifeline {
  return {
    release() {
      const inode = fstatSync(writer).ino
      closeSync(writer)
      return { isHeldByOthers: hasWriter(path, inode) }
    },
  }
}

/** A read of a pipe without writers returns its end; with writers, that there is nothing to read yet. */
function hasWriter(path: string, inode: number): boolean {
  let reader: number | undefined
  try {
    if (statSync(path).ino !== inode) return false
    reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    readSync(reader, Buffer.alloc(1))
    return false
  } catch (error) {
    return hasCode(error, 'EAGAIN')
  } finally {
    if (reader !== undefined) closeSync(reader)
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
