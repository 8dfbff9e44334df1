/**
 * Running a program for a tool: without a shell, in a process group of its own, under a time limit.
 *
 * Invariants:
 * 1. When the promise settles, nothing of the group is left, whatever it ignored and whoever held a pipe open.
 * 2. A result says how the program ended, however much it printed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import { BoundedOutput } from './bounded-output.ts'
import { explainStartFailure } from './process-error.ts'
import { ProcessGroup } from './process-group.ts'

export interface ProcessOptions {
  /** Default: that of this process. */
  readonly cwd?: string
  /**
   * Added to an environment of `PATH` (the system's folders) and `LANG` alone; undefined takes one away. Nothing
   * of this process' own environment, which may hold keys, is handed on.
   */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A tool hands on the signal of its context here. */
  readonly signal?: AbortSignal
  /** Default: none but that of the tool, which comes by the signal. */
  readonly timeoutMs?: number
  /** From SIGTERM to SIGKILL. Default 2,000. */
  readonly graceMs?: number
  /** What is kept of `output`, `stdout` and `stderr` each, in bytes of UTF-8. Default 64 KiB. */
  readonly maxBytes?: number
  /** Standard input, which is empty otherwise. */
  readonly input?: string | Uint8Array
}

export type ProcessExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }

/** The end comes first: whoever cuts the text of a result keeps its beginning. */
export interface ProcessResult {
  readonly exit: ProcessExit
  /** Set when `timeoutMs` was over before the program had ended by itself. */
  readonly stoppedBy?: 'time-limit'
  readonly durationMs: number
  /** Standard output and standard error as they came. Of a longer one, beginning and end. */
  readonly output: string
  readonly stdout: string
  readonly stderr: string
}

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
} as const
const GRACE_MS = 2_000
const MAX_BYTES = 64 * 1024
/** How long what a program has left behind may still print, once the program itself has ended. */
const LINGER_MS = 500

/**
 * Runs `command` with exactly these arguments. A program that fails is a result, not an error.
 *
 * When `signal` is aborted or the time is over, the whole group gets SIGTERM, and SIGKILL after a grace; then an
 * abort rejects with the signal's reason, and a time limit is in the result. Fails with {@link ProcessError} when
 * the program cannot be started.
 */
export async function runProcess(
  command: string,
  args: readonly string[] = [],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const { signal, timeoutMs, graceMs = GRACE_MS } = options
  signal?.throwIfAborted()
  const startedAt = performance.now()
  const child = start(command, args, options)
  const exited = exitOf(child, command, options.cwd)
  const output = collectOutput(child, options.maxBytes ?? MAX_BYTES)
  // Without a number it could not be started, and `exited` rejects.
  const group = child.pid === undefined ? undefined : new ProcessGroup(child.pid)
  let told: 'abort' | 'time-limit' | undefined
  let ending: Promise<void> | undefined
  const end = (): Promise<void> => {
    ending ??= group?.end(graceMs) ?? Promise.resolve()
    return ending
  }
  const stop = (cause: 'abort' | 'time-limit'): void => {
    told ??= cause
    void end()
  }
  const onAbort = (): void => stop('abort')
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop('time-limit'), timeoutMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const exit = await exited
    // What tells it to stop after it has ended by itself does not change how it ended.
    const stoppedBy = told
    if (ending === undefined) await within(LINGER_MS, output.closed, signal)
    await end()
    await within(LINGER_MS, output.closed)
    if (stoppedBy === 'abort') signal?.throwIfAborted()
    return {
      exit,
      ...(stoppedBy === 'time-limit' ? { stoppedBy } : {}),
      durationMs: Math.round(performance.now() - startedAt),
      ...output.texts(),
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    // A process that left the group may hold the pipes open for ever.
    child.stdout?.destroy()
    child.stderr?.destroy()
    child.stdin?.destroy()
  }
}

function start(command: string, args: readonly string[], options: ProcessOptions): ChildProcess {
  const { cwd, env, input } = options
  try {
    const child = spawn(command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...ENVIRONMENT, ...env },
      // A session of its own: a group to be signalled, and no terminal to ask on.
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    // A program that does not read to the end is no failure of ours.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    return child
  } catch (error) {
    throw explainStartFailure(error, command, cwd)
  }
}

function exitOf(child: ChildProcess, command: string, cwd: string | undefined): Promise<ProcessExit> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal }),
    )
    child.once('error', (error) => reject(explainStartFailure(error, command, cwd)))
  })
}

function collectOutput(child: ChildProcess, maxBytes: number) {
  const both = new BoundedOutput(maxBytes)
  const collect = (stream: ChildProcess['stdout']) => {
    const own = new BoundedOutput(maxBytes)
    const decoder = new StringDecoder('utf8')
    const add = (text: string) => {
      own.add(text)
      both.add(text)
    }
    stream?.on('data', (chunk: Buffer) => add(decoder.write(chunk)))
    stream?.on('error', () => undefined)
    const closed = new Promise<void>((resolve) => {
      stream?.once('close', () => {
        add(decoder.end())
        resolve()
      })
    })
    return { own, closed }
  }
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  return {
    closed: Promise.all([stdout.closed, stderr.closed]),
    texts: () => ({
      output: both.toString(),
      stdout: stdout.own.toString(),
      stderr: stderr.own.toString(),
    }),
  }
}

/** Waits for `done`, at most so long and no longer than until `signal` is aborted. */
async function within(timeoutMs: number, done: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  const timer = new AbortController()
  const over = AbortSignal.any([timer.signal, ...(signal === undefined ? [] : [signal])])
  const waited = delay(timeoutMs, undefined, { signal: over }).catch(() => undefined)
  await Promise.race([done, waited])
  timer.abort()
}
