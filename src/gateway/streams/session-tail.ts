/**
 * The end of one Session's log and its live text, followed once for all its readers.
 *
 * Owns where the tail is, what has been shown of the message that is being written, and where the Session stands. It
 * begins at the start of the open Turn, so that it knows both whenever it is joined.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Session, StreamItem } from '../../client/index.ts'
import type { Event } from '../../core/event.ts'
import { INITIAL_STATE, stateAfter, type TurnState } from '../../core/turn-state.ts'
import { IDLE, isSameStatus, type PhaseStatus, phaseStatus, type TailItem } from './tail-item.ts'
import type { TailReader } from './tail-reader.ts'

export class SessionTail {
  readonly #readers = new Set<TailReader>()
  readonly #stop = new AbortController()
  #isOver = false
  #seq = 0
  #shown: TailItem[] = []
  #state: TurnState = INITIAL_STATE
  #status: PhaseStatus = IDLE
  #isWatched = false
  /** Resolves once `seq` can be relied on; rejects when the store cannot be read. */
  readonly ready: Promise<void>
  /** Resolves when the tail has ended, by itself or because it was told to. */
  readonly ended: Promise<void>

  constructor(session: Session) {
    const placed = this.#place(session)
    this.ready = placed
    this.ended = placed
      .then(() => this.#follow(session))
      .catch(() => undefined)
      .finally(() => {
        this.#isOver = true
        for (const reader of this.#readers) reader.end()
      })
  }

  /** The last event that readers have been told of. */
  get seq(): number {
    return this.#seq
  }

  get readers(): number {
    return this.#readers.size
  }

  add(reader: TailReader): void {
    this.#readers.add(reader)
    if (this.#isOver) reader.end()
  }

  remove(reader: TailReader): void {
    this.#readers.delete(reader)
    reader.end()
  }

  /** Lets a reader that has every event up to `after` take part. Synchronous, so that nothing comes between. */
  join(reader: TailReader, after: number): void {
    reader.join(after)
    reader.fallInStep(this.#seq, () => this.#present())
  }

  stop(): void {
    this.#stop.abort()
  }

  async #place(session: Session): Promise<void> {
    const { seq, turnStart } = await session.position()
    this.#seq = turnStart === undefined ? seq : turnStart - 1
  }

  async #follow(session: Session): Promise<void> {
    const { signal } = this.#stop
    for await (const item of session.events({ live: true, follow: true, after: this.#seq, signal })) {
      this.#tell(item)
      if (this.#status !== IDLE) this.#watchOver(session)
      // Much may come at once: readers that are well get the time to take it.
      if ([...this.#readers].some((reader) => reader.isBehind)) await nextRound()
    }
  }

  /** Whoever waits for a Turn closes it in the log when its workflow is gone, terminated say: readers are told so. */
  #watchOver(session: Session): void {
    if (this.#isWatched) return
    this.#isWatched = true
    session
      .whenIdle({ signal: this.#stop.signal })
      .catch(() => undefined)
      .finally(() => {
        this.#isWatched = false
      })
  }

  #tell(item: StreamItem): void {
    this.#remember(item)
    this.#broadcast(item)
    if (item.kind !== 'event') return
    this.#seq = item.event.seq
    this.#move(item.event)
    for (const reader of this.#readers) reader.fallInStep(this.#seq, () => this.#present())
  }

  #remember(item: StreamItem): void {
    if (item.kind === 'delta') this.#shown.push(item)
    else if (item.kind === 'reset' || ENDS_MESSAGE.has(item.event.type)) this.#shown = []
  }

  #move(event: Event): void {
    if (event.turnId === null) return
    this.#state = stateAfter(this.#state, event)
    const status = phaseStatus(event.turnId, this.#state)
    if (isSameStatus(status, this.#status)) return
    this.#status = status
    this.#broadcast({ kind: 'status', status })
  }

  #broadcast(item: TailItem): void {
    for (const reader of this.#readers) reader.push(item)
  }

  #present(): readonly TailItem[] {
    return [{ kind: 'status', status: this.#status }, ...this.#shown]
  }
}

/** After these nothing of the text that was shown is being written any more. */
const ENDS_MESSAGE: ReadonlySet<string> = new Set(['assistant/message', 'step/end', 'turn/end'])
