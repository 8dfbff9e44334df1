/**
 * Everything that a Turn needs, on this machine: Temporal server, store, client, and a worker here or in another
 * process of the same data folder. What is missing is brought up; closing takes down what was brought up.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../../config.ts'
import { type ConnectedTurnstep, connect } from '../../connect.ts'
import type { Agent } from '../../core/agent.ts'
import type { SessionStore } from '../../core/ports.ts'
import { openStore, type TurnstepStore } from '../../open-store.ts'
import { startTemporalServer, type TemporalServer } from '../temporal-server.ts'
import type { Crew } from './load-crew.ts'
import { fileLog, logPathOf } from './log-file.ts'
import type { StackOptions } from './stack-options.ts'
import type { RunningWorker } from './start-worker.ts'
import { manSeat, takeOrFindSeat } from './take-seat.ts'
import { claimSession, type WantedAgent, wantedAgent } from './wanted-agent.ts'
import { watchServer } from './watch-server.ts'
import type { WorkerSeat } from './worker-seat.ts'

/** How often a process without the worker looks whether the one with it has ended. */
const SEAT_CHECK_MS = 250
/** How long a worker that has lost its server is waited for. */
const STOPPING_MS = 3_000

export class Stack {
  readonly client: ConnectedTurnstep
  readonly store: TurnstepStore
  /** Of Temporal's own web page, where the server is the data folder's. */
  readonly uiUrl: string | undefined
  /** Rejects when the worker fails; never resolves. */
  readonly failure: Promise<never>
  readonly #parts: Parts
  #fail: (error: unknown) => void = () => undefined
  #hasFailed = false
  #worker: RunningWorker | undefined
  #crew: Crew | undefined
  #closing: Promise<void> | undefined
  #taking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  private constructor(parts: Parts) {
    this.#parts = parts
    this.client = parts.client
    this.store = parts.store
    this.uiUrl = parts.server.uiUrl
    this.failure = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    this.failure.catch(() => {
      this.#hasFailed = true
    })
  }

  /** Brings up what is missing. Fails with a `TurnstepError`, and then leaves nothing up. */
  static async open(options: StackOptions): Promise<Stack> {
    const closers: (() => Promise<void>)[] = []
    const later = <T>(value: T, close: (value: T) => unknown): T => {
      closers.push(async () => void (await close(value)))
      return value
    }
    const closeAll = async (): Promise<void> => {
      for (const close of closers.splice(0).reverse()) await close()
    }
    try {
      const { settings } = options
      const store = later(await openStore(settings.database), (one) => one.close())
      const wanted = await wantedAgent(store, options)
      const found = await takeOrFindSeat(options, wanted)
      const seat = later(found.seat, (one) => one.release())
      const crew = found.kind === 'taken' ? later(found.crew, (one) => one.close()) : undefined
      await claimSession(store, found.kind === 'taken' ? found.crew.announced : found.holder.agents, options)
      // Loading the worker takes as long as the server takes to come up: side by side.
      const [started] = await Promise.all([
        startServer(options),
        ...(crew === undefined ? [] : [loadWorker()]),
      ])
      const server = later(started, (one) => one.stop())
      const client = later(await connectTo(server, store, settings), (one) => one.close())
      const stack = new Stack({ options, wanted, seat, server, store, client, closeAll, later })
      later(
        watchServer(server, (error) => stack.#fail(error)),
        (watch) => watch.stop(),
      )
      if (crew === undefined) stack.#waitForSeat()
      else await stack.#startWorker(crew)
      return stack
    } catch (error) {
      await closeAll()
      throw error
    }
  }

  /** The agents that answer, as far as this process knows them. */
  get agents(): readonly Agent[] {
    return this.#crew?.agents ?? []
  }

  /** Whether the worker runs here, and not in another process. */
  get hasWorker(): boolean {
    return this.#worker !== undefined
  }

  /** Lets the worker finish within its grace, and takes down what was brought up. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#taking
    // Free while the worker finishes: another process may go on at once.
    this.#parts.seat.release()
    const stopping = this.#worker?.stop()
    await (this.#hasFailed ? Promise.race([stopping, delay(STOPPING_MS)]) : stopping)
    await this.#parts.closeAll()
  }

  /** The process with the worker may end before what was sent to it is done: then this one goes on. */
  #waitForSeat(): void {
    this.#timer = setTimeout(() => {
      if (!this.#parts.seat.tryTake()) return this.#waitForSeat()
      this.#taking = this.#takeOver().catch((error: unknown) => this.#fail(error))
    }, SEAT_CHECK_MS)
  }

  async #takeOver(): Promise<void> {
    const { options, wanted, seat, later } = this.#parts
    options.note('The process with the worker has ended. Its work goes on here.')
    const crew = await manSeat(seat, options, wanted)
    await this.#startWorker(later(crew, (one) => one.close()))
  }

  async #startWorker(crew: Crew): Promise<void> {
    const { options, server, store } = this.#parts
    const { settings, session, note, graceMs = 2_000, log = fileLog(logPathOf(settings.dataDir)) } = options
    const { agents } = crew
    this.#crew = crew
    const { address } = server
    const { startWorker } = await loadWorker()
    this.#worker = await startWorker({ settings, address, store, agents, session, note, graceMs, log })
    this.#worker.ended.catch((error: unknown) => this.#fail(error))
  }
}

function loadWorker(): Promise<typeof import('./start-worker.ts')> {
  return import('./start-worker.ts')
}

type Later = <T>(value: T, close: (value: T) => unknown) => T

interface Parts {
  readonly options: StackOptions
  readonly wanted: WantedAgent
  readonly seat: WorkerSeat
  readonly server: TemporalServer
  readonly store: TurnstepStore
  readonly client: ConnectedTurnstep
  readonly closeAll: () => Promise<void>
  /** Has something closed with the stack. */
  readonly later: Later
}

function startServer({ settings, note }: StackOptions): Promise<TemporalServer> {
  const { temporal, dataDir, cacheDir, searchPath } = settings
  return startTemporalServer({
    ...(temporal.address === undefined ? {} : { address: temporal.address }),
    namespace: temporal.namespace,
    dataDir,
    cacheDir,
    searchPath,
    log: note,
  })
}

function connectTo(
  { address }: TemporalServer,
  store: SessionStore,
  { temporal, taskQueue }: Environment,
): Promise<ConnectedTurnstep> {
  return connect({ address, store, namespace: temporal.namespace, taskQueue })
}
