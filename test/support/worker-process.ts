import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import type { TurnActivities } from '../../src/activities/contracts.ts'
import type { AgentLimits } from '../../src/core/agent.ts'
import type { ToolEffect } from '../../src/core/receipt.ts'
import type { TurnWorld } from './turn-world.ts'

/** A tool of a worker process. */
export interface ProcessTool {
  readonly name: string
  readonly effect: ToolEffect
  readonly result: string
  /** Whether it waits until the test releases it, or it is told to stop. */
  readonly isHeld: boolean
  /** A shell script that it runs in a process, before it answers. */
  readonly script?: string
  /** Whether it throws an error with its result as message, instead of returning it. */
  readonly isFailing?: boolean
}

/** A guardrail of a worker process, which passes everything. */
export interface ProcessGuardrail {
  readonly name: string
  readonly stage: 'input' | 'output'
  /** Whether it waits until the test releases it, or it is told to stop. */
  readonly isHeld: boolean
}

export interface WorkerSettings {
  readonly address: string
  readonly taskQueue: string
  readonly database: string
  readonly modelUrl: string
  readonly tools: readonly ProcessTool[]
  readonly limits?: Partial<AgentLimits>
  readonly guardrails?: readonly ProcessGuardrail[]
  readonly shutdownGraceMs?: number
  /** An activity that does its work and never answers. */
  readonly silentActivity?: keyof TurnActivities
  /** Whether everything that Temporal's SDK has to say is written to standard error; see `output`. */
  readonly isLoud?: boolean
}

/** The start of a tool, as its process told it. */
export interface ToolStart {
  readonly kind: 'tool-started'
  readonly tool: string
  readonly requestId: string
  readonly callId: string
}

/** The start of a guardrail, and what it judges. */
export interface GuardrailStart {
  readonly kind: 'guardrail-started'
  readonly guardrail: string
  readonly judged: string
}

export type WorkerReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'drained' }
  | { readonly kind: 'silent'; readonly activity: string }
  | ToolStart
  | GuardrailStart

const PROGRAM = fileURLToPath(new URL('./run-worker.mjs', import.meta.url))
const TIMEOUT_MS = 30_000

/** A worker in a real process, to be killed, stopped and continued. It ends with its test at the latest. */
export class WorkerProcess {
  /** Tools that it has started, in order. */
  readonly starts: ToolStart[] = []
  /** What its guardrails have begun to judge, `guardrail: text`, in order. */
  readonly judged: string[] = []
  /** What it has written to standard output, and to standard error if it is loud. */
  output = ''
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #changed: (() => void)[] = []
  #isReady = false
  #isDrained = false
  #isSilent = false

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exited = once(child, 'exit')
    child.on('message', (report: WorkerReport) => {
      if (report.kind === 'ready') this.#isReady = true
      else if (report.kind === 'drained') this.#isDrained = true
      else if (report.kind === 'silent') this.#isSilent = true
      else if (report.kind === 'guardrail-started') this.judged.push(`${report.guardrail}: ${report.judged}`)
      else this.starts.push(report)
      this.#wake()
    })
    child.on('exit', () => this.#wake())
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
  }

  /** Starts a worker for a world's task queue, and waits until it takes work. */
  static async start(
    world: TurnWorld,
    tools: readonly ProcessTool[] = [],
    more: Pick<
      WorkerSettings,
      'guardrails' | 'shutdownGraceMs' | 'silentActivity' | 'limits' | 'isLoud'
    > = {},
  ): Promise<WorkerProcess> {
    const settings: WorkerSettings = {
      address: inject('temporalAddress'),
      taskQueue: world.taskQueue,
      database: world.dbPath,
      modelUrl: world.model.url,
      tools,
      ...more,
    }
    const child = fork(PROGRAM, [JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', more.isLoud === true ? 'pipe' : 'inherit', 'ipc'],
    })
    const started = new WorkerProcess(child)
    onTestFinished(() => started.kill())
    await started.#until(() => started.#isReady, 'take work')
    return started
  }

  /** Waits until a tool has started that often in this process. */
  async toolStarted(tool: string, times = 1): Promise<ToolStart> {
    const ofTool = (): readonly ToolStart[] => this.starts.filter((start) => start.tool === tool)
    await this.#until(() => ofTool().length >= times, `start ${tool}`)
    return ofTool()[times - 1] as ToolStart
  }

  /** Waits until a guardrail has begun to judge. */
  async judging(guardrail: string): Promise<void> {
    await this.#until(
      () => this.judged.some((one) => one.startsWith(`${guardrail}: `)),
      `start the guardrail ${guardrail}`,
    )
  }

  /** Waits until the silent activity has done its work. */
  async fallenSilent(): Promise<void> {
    await this.#until(() => this.#isSilent, 'fall silent')
  }

  /** Lets a tool that is held go on. */
  release(tool: string): void {
    this.#child.send(`release ${tool}`)
  }

  /** Has it take nothing more, so that a pause holds up only what it already does. Needs a long shutdown grace. */
  async drain(): Promise<void> {
    this.#child.send('drain')
    await this.#until(() => this.#isDrained, 'drain')
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#child.kill(signal)
  }

  /** kill -9; resolves when the process is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  /** Resolves when the process has ended by itself. */
  async exited(): Promise<void> {
    await this.#exited
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    const deadline = setTimeout(() => this.#wake(), TIMEOUT_MS)
    const endsAt = Date.now() + TIMEOUT_MS
    try {
      while (!condition()) {
        if (this.#child.exitCode !== null)
          throw new Error(`The worker process ended before it could ${what}.`)
        if (Date.now() >= endsAt) throw new Error(`The worker process did not ${what} in time.`)
        await new Promise<void>((resolve) => this.#changed.push(resolve))
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  #wake(): void {
    const waiting = this.#changed
    this.#changed = []
    for (const resolve of waiting) resolve()
  }
}
