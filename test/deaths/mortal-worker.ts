/**
 * A worker process that is to be killed, seen from outside.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Moment } from './points.ts'

/** Where a worker stands still for a Turn. */
export interface WorkerHold {
  /** An activity, or `none` for the task that ends the workflow. */
  readonly activity: string
  readonly step: number
  readonly moment: Moment
  /** Set when somebody else tells that the Turn has come to its point. */
  readonly isSilent?: true
  /** Set when it waits there for the others, and goes on from there to its point. */
  readonly isPassing?: true
}

export interface WorkerSettings {
  readonly address: string
  readonly taskQueue: string
  readonly database: string
  readonly modelUrl: string
  readonly toolUrl: string
  /** Whether decisions and effects are taken by two workers, so that one can be ended before the other. */
  readonly isSplit: boolean
  /** By Session. */
  readonly holds: Readonly<Record<string, readonly WorkerHold[]>>
}

/** A Turn has come to its point, or to where it waits for the others. */
export interface Standing {
  readonly kind: 'standing'
  readonly session: string
  readonly isPassing: boolean
}

export type WorkerReport =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'draining' }
  | Standing

const PROGRAM = fileURLToPath(new URL('./run-mortal-worker.mjs', import.meta.url))
const TIMEOUT_MS = 60_000

export class MortalWorker {
  /** Settles when the process is gone. */
  readonly gone: Promise<void>
  readonly #child: ChildProcess
  readonly #told = new Set<WorkerReport['kind']>()
  #onStanding: (standing: Standing) => void = () => undefined
  #wake: () => void = () => undefined
  #isKilled = false

  /** Starts a process that loads its code and waits. */
  constructor() {
    this.#child = fork(PROGRAM, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
    this.gone = once(this.#child, 'exit').then(() => this.#wake())
    this.#child.on('message', (report: WorkerReport) => {
      if (report.kind === 'standing') return this.#onStanding(report)
      this.#told.add(report.kind)
      this.#wake()
    })
  }

  /** Has it take work; `onStanding` hears of each Turn that has come to where this process holds it. */
  async begin(settings: WorkerSettings, onStanding: (standing: Standing) => void): Promise<void> {
    this.#onStanding = onStanding
    await this.#until('loaded')
    this.#child.send(settings)
    await this.#until('ready')
  }

  /** Has it take no activity more. */
  async drain(): Promise<void> {
    this.#child.send('drain')
    await this.#until('draining')
  }

  /** Lets go on what waits for the others. */
  release(): void {
    this.#child.send('release')
  }

  /** kill -9, in this instant. */
  kill(): void {
    this.#isKilled = true
    this.#child.kill('SIGKILL')
  }

  async #until(kind: WorkerReport['kind']): Promise<void> {
    const endsAt = Date.now() + TIMEOUT_MS
    while (!this.#told.has(kind)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#isKilled)
        throw new Error(`The worker process ended before it was ${kind}.`)
      if (Date.now() > endsAt) throw new Error(`The worker process was not ${kind} in time.`)
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        timer = setTimeout(resolve, TIMEOUT_MS)
      })
      clearTimeout(timer)
    }
  }
}
