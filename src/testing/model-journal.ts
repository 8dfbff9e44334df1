/**
 * The journal of a scripted model server: every request, what became of it, and when.
 */
import type { ChatRequest } from './chat-request.ts'
import type { Violation } from './violation.ts'

/** Times are milliseconds since the epoch, with fractions, comparable between processes of one machine. */
export interface JournalEntry {
  /** From 1, in order of arrival. */
  readonly number: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The parsed body of a chat request. Throws when it has none, was not JSON, or was dropped to save memory. */
  readonly body: ChatRequest
  readonly bodyBytes: number
  readonly receivedAt: number
  /** When the first byte of the answer was written. */
  readonly answeredAt?: number
  /** When the answer was complete, or was cut by the script. */
  readonly endedAt?: number
  /** When the client cut the connection before the answer was complete. */
  readonly abortedAt?: number
  readonly status?: number
  /** Content chunks written so far. */
  readonly chunksSent: number
  readonly violations: readonly Violation[]
}

/** An entry as the server writes it. */
export type WritableEntry = { -readonly [Field in keyof Omit<JournalEntry, 'body'>]: JournalEntry[Field] } & {
  bodyValue?: unknown
  readonly body: ChatRequest
}

export interface JournalLimits {
  /** Older entries are forgotten. Default: all are kept. */
  readonly entries?: number
  /** Bodies of older entries are dropped above this sum. Default 256 MiB. */
  readonly bodyBytes?: number
}

const DEFAULT_BODY_BYTES = 256 * 1024 * 1024
const DEFAULT_TIMEOUT_MS = 20_000

export function journalNow(): number {
  return performance.timeOrigin + performance.now()
}

/** Judges one entry; true once it has settled and need not be asked again. */
type Waiter = (entry: JournalEntry) => boolean

export class ModelJournal {
  readonly #entries: WritableEntry[] = []
  readonly #waiters = new Set<Waiter>()
  readonly #limits: JournalLimits
  #count = 0
  #keptBytes = 0
  #firstWithBody = 0

  constructor(limits: JournalLimits = {}) {
    this.#limits = limits
  }

  /** Entries in order of arrival, as they are now. */
  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  /** How many requests have come, forgotten ones included. */
  get count(): number {
    return this.#count
  }

  /** Entries of chat requests alone. */
  get chats(): readonly JournalEntry[] {
    return this.#entries.filter((entry) => entry.path.endsWith('/chat/completions'))
  }

  /**
   * The first entry that meets the predicate, now or as soon as one does.
   * Fails with what the journal holds when none does in time (20 seconds unless another is given).
   */
  waitFor(
    predicate: (entry: JournalEntry) => boolean,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  ): Promise<JournalEntry> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter)
        reject(
          new Error(`No request met the condition within ${timeoutMs} ms. The journal: ${this.describe()}`),
        )
      }, timeoutMs)
      const waiter: Waiter = (entry) => {
        try {
          if (!predicate(entry)) return false
          resolve(entry)
        } catch (error) {
          reject(error)
        }
        clearTimeout(timer)
        return true
      }
      if (!this.#entries.some(waiter)) this.#waiters.add(waiter)
    })
  }

  /** One line an entry, without bodies. */
  describe(): string {
    const lines = this.#entries.slice(-20).map((entry) => {
      const state = entry.abortedAt !== undefined ? 'aborted' : entry.endedAt !== undefined ? 'ended' : 'open'
      return `#${entry.number} ${entry.method} ${entry.path} ${entry.status ?? '-'} ${state}, ${entry.chunksSent} chunks`
    })
    return lines.length === 0 ? 'empty' : lines.join('; ')
  }

  /** Opens an entry; the server goes on writing it, and calls `changed` when it has. */
  open(request: Pick<JournalEntry, 'method' | 'path' | 'headers'>): WritableEntry {
    this.#count += 1
    const entry: WritableEntry = {
      ...request,
      number: this.#count,
      bodyBytes: 0,
      receivedAt: journalNow(),
      chunksSent: 0,
      violations: [],
      get body() {
        if (this.bodyValue === undefined)
          throw new Error(`Request ${this.number} has no body, or it was dropped.`)
        return this.bodyValue as ChatRequest
      },
    }
    this.#entries.push(entry)
    const limit = this.#limits.entries ?? Number.POSITIVE_INFINITY
    while (this.#entries.length > limit) {
      this.#forgetBody(this.#entries.shift())
      this.#firstWithBody = Math.max(0, this.#firstWithBody - 1)
    }
    return entry
  }

  /** Keeps a body, and drops older ones if there are too many. */
  keepBody(entry: WritableEntry, body: unknown, bytes: number): void {
    entry.bodyBytes = bytes
    const isForgotten = entry.number <= this.#count - this.#entries.length
    if (isForgotten) return
    entry.bodyValue = body
    this.#keptBytes += bytes
    const limit = this.#limits.bodyBytes ?? DEFAULT_BODY_BYTES
    while (this.#keptBytes > limit && this.#firstWithBody < this.#entries.length - 1) {
      this.#forgetBody(this.#entries[this.#firstWithBody])
      this.#firstWithBody += 1
    }
  }

  /** Tells those who wait that an entry has changed. */
  changed(entry: JournalEntry): void {
    for (const waiter of this.#waiters) if (waiter(entry)) this.#waiters.delete(waiter)
  }

  #forgetBody(entry: WritableEntry | undefined): void {
    if (entry?.bodyValue === undefined) return
    this.#keptBytes -= entry.bodyBytes
    delete entry.bodyValue
  }
}
