/**
 * Where one scenario plays: a task queue, a store, a client, and the workers that it starts.
 */
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import type { Session, SessionStore } from 'turnstep'
import { openSqliteStore, Turnstep } from 'turnstep'
import { Child } from './child.ts'
import type { ModelProcess } from './model-process.ts'
import type { Server } from './servers.ts'

export interface WorkerChoice {
  /** Whether it takes over what a dead worker was doing. Default true. */
  readonly recover?: boolean
  /** Lets its tool return a stream instead of a text, and says whether that is redacted. */
  readonly streams?: 'redacted' | 'as-it-is'
}

/** What a stage is given. */
export interface StageOptions {
  readonly name: string
  /** Gets the store. */
  readonly folder: string
  readonly server: Server
  readonly model: ModelProcess
  /** Gets CPU profiles of turnstep workers. */
  readonly profileFolder?: string | undefined
}

let count = 0

export class Stage {
  readonly server: Server
  readonly model: ModelProcess
  readonly taskQueue: string
  readonly databasePath: string
  readonly store: SessionStore
  readonly temporal: Client
  readonly client: Turnstep
  readonly #profileFolder: string | undefined
  readonly #children = new Set<Child>()

  private constructor(
    options: StageOptions,
    parts: Pick<Stage, 'taskQueue' | 'databasePath' | 'store' | 'temporal'>,
  ) {
    this.server = options.server
    this.model = options.model
    this.#profileFolder = options.profileFolder
    this.taskQueue = parts.taskQueue
    this.databasePath = parts.databasePath
    this.store = parts.store
    this.temporal = parts.temporal
    this.client = new Turnstep({ temporal: this.temporal, store: this.store, taskQueue: this.taskQueue })
  }

  static async open(options: StageOptions): Promise<Stage> {
    count += 1
    const taskQueue = `${options.name}-${count}`
    const databasePath = join(options.folder, `${taskQueue}.db`)
    const connection = await Connection.connect({
      address: options.server.address,
      // Histories of others are longer than a message may be by default.
      channelArgs: { 'grpc.max_receive_message_length': -1 },
    })
    const temporal = new Client({ connection })
    const store = await openSqliteStore({ path: databasePath })
    return new Stage(options, { taskQueue, databasePath, store, temporal })
  }

  /** A Session that has not been used. */
  newSession(): Session {
    return this.client.session(crypto.randomUUID())
  }

  /** A turnstep worker that is being started. */
  launchWorker({ recover = true, streams }: WorkerChoice = {}): Child {
    const profileFolder = this.#profileFolder
    const settings = { ...this.#settings(), databasePath: this.databasePath, recover, streams }
    return this.#keep(
      new Child(
        'processes/worker.mjs',
        settings,
        profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`],
      ),
    )
  }

  /** A turnstep worker that runs. */
  async startWorker(choice: WorkerChoice = {}): Promise<Child> {
    const worker = this.launchWorker(choice)
    await worker.readyAt
    return worker
  }

  /** Another process that is told of this stage's places, once it is ready. */
  async startProcess(script: string): Promise<Child> {
    const child = this.#keep(new Child(script, { ...this.#settings(), databasePath: this.databasePath }))
    await child.readyAt
    return child
  }

  async close(): Promise<void> {
    await Promise.all([...this.#children].map((child) => child.stop()))
    await this.temporal.connection.close()
    await this.store.close()
  }

  #settings() {
    return { address: this.server.address, taskQueue: this.taskQueue, modelUrl: this.model.url }
  }

  #keep(child: Child): Child {
    this.#children.add(child)
    return child
  }
}
