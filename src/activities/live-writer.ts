/**
 * Live text of one model attempt on its way to whoever follows the log.
 */
import type { SessionKey } from '../core/ids.ts'
import type { LiveDelta, LivePosition, ModelDelta, SessionStore } from '../core/ports.ts'

/** Deltas that come within this time are written together: fewer writes, and far below what a reader notices. */
const GATHER_MS = 15

/** Where live text goes. */
export type LiveStore = Pick<SessionStore, 'appendLive'>

/** Gathers deltas and writes them in order. A store that is away costs live text, never the answer. */
export class LiveWriter {
  readonly #store: LiveStore
  readonly #key: SessionKey
  readonly #position: Omit<LivePosition, 'index'>
  #index = 0
  #gathered: ModelDelta[] = []
  #timer: NodeJS.Timeout | undefined
  #written: Promise<void> = Promise.resolve()
  #text = ''

  constructor(store: LiveStore, key: SessionKey, position: Omit<LivePosition, 'index'>) {
    this.#store = store
    this.#key = key
    this.#position = position
  }

  /** The text so far. */
  get text(): string {
    return this.#text
  }

  /** Whether anything has come. */
  get hasContent(): boolean {
    return this.#index > 0 || this.#gathered.length > 0
  }

  write(delta: ModelDelta): void {
    this.#text += delta.text ?? ''
    const last = this.#gathered.at(-1)
    if (delta.text !== undefined && last?.text !== undefined) {
      this.#gathered[this.#gathered.length - 1] = { text: last.text + delta.text }
    } else if (delta.reasoning !== undefined && last?.reasoning !== undefined) {
      this.#gathered[this.#gathered.length - 1] = { reasoning: last.reasoning + delta.reasoning }
    } else {
      this.#gathered.push(delta)
    }
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS)
  }

  /** Whether anything has been handed to the store. */
  get isWritten(): boolean {
    return this.#index > 0
  }

  /** Drops what is left if nothing was written yet: the message itself is about to be committed. */
  async endAnswered(): Promise<void> {
    if (this.#index > 0) return this.end()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Writes what is left, and waits until all of it is written. */
  async end(): Promise<void> {
    this.#flush()
    await this.#written
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const deltas = this.#gathered.map(
      (delta): LiveDelta => ({ ...this.#position, index: this.#index++, ...delta }),
    )
    this.#gathered = []
    if (deltas.length === 0) return
    this.#written = this.#written.then(() => this.#store.appendLive(this.#key, deltas)).catch(() => undefined)
  }
}
