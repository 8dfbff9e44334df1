import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Place } from './place.ts'

/** What `turnstep` is, for Node.js. */
export const MAIN = fileURLToPath(new URL('../../../../dist/cli/main.js', import.meta.url))
const TIMEOUT_MS = 40_000

export interface Completed {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process with what it has printed so far. */
export class WatchedProcess {
  readonly process: ChildProcessWithoutNullStreams
  readonly ended: Promise<Completed>
  #stdout = ''
  #stderr = ''
  #hasEnded = false
  #changed: (() => void)[] = []

  constructor(child: ChildProcessWithoutNullStreams) {
    this.process = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
      this.#notify()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
      this.#notify()
    })
    this.ended = new Promise((resolve) => {
      child.on('close', (code) => {
        this.#hasEnded = true
        this.#notify()
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr })
      })
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await this.ended
    })
  }

  get stdout(): string {
    return this.#stdout
  }

  get stderr(): string {
    return this.#stderr
  }

  /** Waits until it has printed this; fails when it ends without, or after a bound. */
  async untilPrinted(stream: 'stdout' | 'stderr', text: string): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS
    while (!this[stream].includes(text)) {
      if (this.#hasEnded || Date.now() > deadline) throw this.#unexpected(`did not print ${text}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now())
        this.#changed.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  /** Writes to its standard input. */
  type(text: string): void {
    this.process.stdin.write(text)
  }

  #notify(): void {
    for (const resolve of this.#changed.splice(0)) resolve()
  }

  #unexpected(what: string): Error {
    return new Error(`The command ${what}.\nstdout:\n${this.#stdout}\nstderr:\n${this.#stderr}`)
  }
}

/** Starts a command; its standard input stays open. */
export function startCommand(place: Place, ...args: string[]): WatchedProcess {
  return new WatchedProcess(spawn(process.execPath, [MAIN, ...args], { cwd: place.folder, env: place.env }))
}

/** Runs a command to its end, with this standard input. */
export function runCommand(
  place: Place,
  args: readonly string[],
  options: { readonly input?: string } = {},
): Promise<Completed> {
  const command = startCommand(place, ...args)
  command.process.stdin.end(options.input ?? '')
  return command.ended
}

/** Lines of standard output, parsed. */
export function jsonLines(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
