import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Runtime } from '@temporalio/worker'
import { inject } from 'vitest'
import { Turnstep } from '../../src/client/index.ts'
import type { AgentLimits } from '../../src/core/agent.ts'
import type { AgentPolicy } from '../../src/core/authorize-call.ts'
import type { Event } from '../../src/core/event.ts'
import type { Guardrails } from '../../src/core/guardrail.ts'
import type { SessionStore } from '../../src/core/ports.ts'
import { assertLog } from '../../src/core/verify-log.ts'
import { type AgentOptions, defineAgent } from '../../src/define-agent.ts'
import { openaiChat } from '../../src/model/openai-chat.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import {
  ScriptedModelServer,
  type ScriptedModelServerOptions,
} from '../../src/testing/scripted-model-server.ts'
import type { Tool } from '../../src/tools/index.ts'
import { createWorker, type WorkerOptions } from '../../src/worker.ts'

export interface WorldOptions extends ScriptedModelServerOptions {
  readonly tools?: readonly Tool[]
  readonly limits?: Partial<AgentLimits>
  /** Agents beside the default one, `tester`, with the same tools. */
  readonly agents?: readonly Pick<AgentOptions, 'name' | 'limits' | 'price' | 'guardrails'>[]
  readonly guardrails?: Guardrails
  readonly policy?: Partial<AgentPolicy>
  /** Around the store that worker and client use, to let it fail say. */
  readonly wrapStore?: (store: SessionStore) => SessionStore
}

/** A running worker of a world. */
export interface RunningWorker {
  /** Stops taking work; resolves when what it has is finished. */
  stop(): Promise<void>
}

Runtime.install({ logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} } })

/**
 * Everything that one test needs beside the shared Temporal server: a store in a folder of its own, a strict
 * scripted model, a client, workers on a task queue of its own.
 */
export class TurnWorld {
  readonly store: SessionStore
  readonly model: ScriptedModelServer
  readonly client: Turnstep
  readonly temporal: Client
  readonly taskQueue: string
  readonly folder: string
  readonly #options: WorldOptions
  readonly #native: NativeConnection
  readonly #workers = new Set<RunningWorker>()

  private constructor(parts: {
    readonly store: SessionStore
    readonly model: ScriptedModelServer
    readonly temporal: Client
    readonly native: NativeConnection
    readonly folder: string
    readonly options: WorldOptions
  }) {
    this.taskQueue = `test-${crypto.randomUUID()}`
    this.store = parts.store
    this.model = parts.model
    this.temporal = parts.temporal
    this.folder = parts.folder
    this.#native = parts.native
    this.#options = parts.options
    this.client = new Turnstep({ temporal: this.temporal, store: this.store, taskQueue: this.taskQueue })
  }

  static async open(options: WorldOptions = {}): Promise<TurnWorld> {
    const address = inject('temporalAddress')
    const folder = await mkdtemp(join(tmpdir(), 'turnstep-world-'))
    const opened = await openSqliteStore({ path: join(folder, 'turnstep.db') })
    return new TurnWorld({
      folder,
      options,
      store: options.wrapStore?.(opened) ?? opened,
      model: await ScriptedModelServer.start(options),
      temporal: new Client({ connection: await Connection.connect({ address }) }),
      native: await NativeConnection.connect({ address }),
    })
  }

  get dbPath(): string {
    return join(this.folder, 'turnstep.db')
  }

  /** Session ids are unique, because all tests share one namespace. */
  newSessionId(): string {
    return `s-${crypto.randomUUID()}`
  }

  /** A client whose signals are lost. */
  muteClient(): Turnstep {
    const temporal = new Proxy(this.temporal, {
      get: (target, name) =>
        name === 'workflow'
          ? { getHandle: () => ({ signal: () => Promise.reject(new Error('lost')) }) }
          : Reflect.get(target, name),
    })
    return new Turnstep({ temporal, store: this.store, taskQueue: this.taskQueue })
  }

  async startWorker(more: Partial<WorkerOptions> = {}): Promise<RunningWorker> {
    const { tools = [], limits = {}, policy = {}, agents = [], guardrails = {} } = this.#options
    const model = openaiChat({ model: 'scripted-model', baseUrl: this.model.url })
    const defined = [{ name: 'tester', limits, guardrails }, ...agents].map((agent) =>
      defineAgent({ instructions: 'Test.', model, tools, policy, ...agent }),
    )
    const worker = await createWorker({
      connection: this.#native,
      taskQueue: this.taskQueue,
      store: this.store,
      agents: defined,
      recover: false,
      ...more,
    })
    const ended = worker.run()
    const running: RunningWorker = {
      stop: async () => {
        if (worker.getState() === 'RUNNING') worker.shutdown()
        await ended
        this.#workers.delete(running)
      },
    }
    this.#workers.add(running)
    return running
  }

  async log(sessionId: string): Promise<readonly Event[]> {
    return this.store.read({ tenant: 'default', session: sessionId })
  }

  /** The log of a Session at rest, verified. */
  async settledLog(sessionId: string): Promise<readonly Event[]> {
    const log = await this.log(sessionId)
    assertLog(log, { settled: true })
    return log
  }

  /** Ends everything; fails if the strict model server saw a request that a provider would refuse. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()))
    await this.#native.close()
    await this.temporal.connection.close()
    await this.store.close()
    await rm(this.folder, { recursive: true, force: true })
    await this.model.close()
  }
}

/** The types of a log's events, in order. */
export function sequenceOf(log: readonly Event[]): readonly string[] {
  return log.map((event) => event.type)
}
