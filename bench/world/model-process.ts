/**
 * The provider of a benchmark, in its own process. Times are milliseconds since the epoch.
 */
import { Child } from './child.ts'

export interface RequestTimes {
  readonly receivedAt: number
  /** When the first byte of the answer was written. */
  readonly answeredAt?: number
  readonly abortedAt?: number
}

export class ModelProcess {
  readonly url: string
  readonly #child: Child

  private constructor(child: Child, url: string) {
    this.#child = child
    this.url = url
  }

  static async start(): Promise<ModelProcess> {
    const child = await Child.start('processes/model.mjs', {})
    return new ModelProcess(child, await child.call('url'))
  }

  /** The requests of a run so far. */
  requests(run: string): Promise<readonly RequestTimes[]> {
    return this.#child.call('requests', run)
  }

  /** Waits until a run has so many requests, and returns all that it has. */
  async awaitRequests(run: string, count: number): Promise<readonly RequestTimes[]> {
    await this.#child.call('awaitRequests', { run, count })
    return this.requests(run)
  }

  /** When the client cut the last request of a run; waits for it. */
  abortedAt(run: string): Promise<number> {
    return this.#child.call('abortedAt', run)
  }

  chunksSentAt(run: string): Promise<readonly number[]> {
    return this.#child.call('chunksSentAt', run)
  }

  /** Ends it. Fails when it saw a request that a provider would refuse. */
  async stop(): Promise<void> {
    await this.#child.call('check').finally(() => this.#child.stop())
  }
}
