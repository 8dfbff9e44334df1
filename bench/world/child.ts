/**
 * A process of the benchmark, and calls to it over Node's channel.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { now } from './now.ts'

export interface Usage {
  readonly cpuMs: number
  readonly peakRssMb: number
}

type Message =
  | { readonly readyAt: number }
  | { readonly id: number; readonly value?: unknown; readonly problem?: string }

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class Child {
  /** When it was started, and when it said that it was ready. Milliseconds since the epoch. */
  readonly startedAt: number
  readonly readyAt: Promise<number>
  readonly #process: ChildProcess
  readonly #exited: Promise<void>
  readonly #calls = new Map<number, Waiting>()
  #lastId = 0

  /** Starts a script of this folder with settings for it; it is ready once `readyAt` is. */
  constructor(script: string, settings: unknown, nodeOptions: readonly string[] = []) {
    const path = fileURLToPath(new URL(`../${script}`, import.meta.url))
    this.startedAt = now()
    this.#process = fork(path, [JSON.stringify(settings)], {
      execArgv: [...nodeOptions],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    this.#exited = new Promise((resolve) => this.#process.once('exit', () => resolve()))
    this.readyAt = new Promise((resolve, reject) => {
      this.#process.on('message', (message: Message) => {
        if ('readyAt' in message) resolve(message.readyAt)
        else this.#settle(message)
      })
      this.#process.once('error', reject)
      this.#process.once('exit', (code, signal) => {
        const gone = new Error(`${script} has ended (${signal ?? code})`)
        reject(gone)
        for (const call of this.#calls.values()) call.reject(gone)
      })
    })
    this.readyAt.catch(() => undefined)
  }

  /** A process that is ready. */
  static async start(...options: ConstructorParameters<typeof Child>): Promise<Child> {
    const child = new Child(...options)
    await child.readyAt
    return child
  }

  call<T>(command: string, argument?: unknown): Promise<T> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise<T>((resolve, reject) => {
      this.#calls.set(id, { resolve: (value) => resolve(value as T), reject })
      this.#process.send({ id, command, argument }, (error) => error && reject(error))
    })
  }

  usage(): Promise<Usage> {
    return this.call('usage')
  }

  /** Ends it as a crash would; settles when it is gone. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exited
  }

  /** Lets it end in good order. */
  async stop(): Promise<void> {
    if (this.#process.connected) this.#process.disconnect()
    await this.#exited
  }

  #settle({ id, value, problem }: Exclude<Message, { readonly readyAt: number }>): void {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (problem === undefined) call?.resolve(value)
    else call?.reject(new Error(problem))
  }
}
