/**
 * The workflow's side of the inbox: signals, cancellation and queries.
 *
 * Owns what has arrived and what was stopped; decides nothing about Steps. Handlers validate and enqueue,
 * and never throw: a handler that throws would fail its workflow task for ever.
 */
import {
  CancellationScope,
  defineQuery,
  defineSignal,
  setDefaultSignalHandler,
  setHandler,
  uuid4,
} from '@temporalio/workflow'
import { isId } from '../core/ids.ts'
import type { Inbox, ReadInput, Recorded } from '../core/inbox.ts'
import { arrivedBy, carriedInbox, carry, EMPTY_INBOX, enqueue, lane, refuse, settle } from '../core/inbox.ts'
import { readInput, readInterrupt, readStop, readWake } from '../core/read-signal.ts'
import type {
  CarriedInbox,
  Lane,
  PendingInputs,
  QueuedInput,
  RefusedInput,
  StopSignal,
  TurnOpening,
  TurnStatus,
  WakeSignal,
} from '../core/wire.ts'
import { QUERY, SIGNAL } from '../core/wire.ts'

/** Refusals that one activity is asked to record; the rest waits for the next. */
const REFUSED_BATCH = 500
/** Followups that an opening looks at, in case the first were sent twice. */
const FOLLOWUP_BATCH = 20
/** Stops that are kept while the Turn has no id yet. */
const UNJUDGED_STOPS = 100

/** A stop that holds for this Turn, and how many inputs had arrived before it. */
export interface Stop {
  readonly order: number
  readonly queue: 'withdraw' | 'run'
  readonly mode: 'now' | 'after-step'
}

type ArrivedStop = Stop & { readonly turnId?: string }

export class TurnInbox {
  #inbox: Inbox
  #stops: readonly ArrivedStop[] = []
  /** Undefined until the Turn is open. */
  #turnIds: Set<string> | undefined
  #offered: readonly QueuedInput[] = []
  /** Inputs that are said to be withdrawn; the log decides. */
  #woken: readonly string[] = []
  /** Calls of which the log is said to have something new. */
  readonly #calls = new Set<string>()
  #expected: ReadonlySet<string> = new Set()
  #isCancelled = false

  constructor(carried: CarriedInbox | undefined) {
    this.#inbox = carried === undefined ? EMPTY_INBOX : carriedInbox(carried)
  }

  // What arrives

  receive(which: Lane, read: ReadInput): void {
    if (read.kind === 'input') this.#inbox = enqueue(this.#inbox, which, read)
    else this.#inbox = refuse(this.#inbox, { id: read.id ?? `refused-${uuid4()}`, reason: read.reason })
  }

  receiveStop(stop: StopSignal | undefined): void {
    if (stop === undefined) return
    const { turnId, queue = 'withdraw', mode = 'now' } = stop
    if (this.#turnIds === undefined && this.#stops.length >= UNJUDGED_STOPS) return
    // Nothing has come that could be stopped: what comes later is not meant.
    if (this.#turnIds === undefined && turnId === undefined && !this.hasInputs) return
    if (this.#turnIds !== undefined && turnId !== undefined && !this.#turnIds.has(turnId)) return
    this.#stops = [
      ...this.#stops,
      { order: this.#inbox.arrivals, queue, mode, ...(turnId === undefined ? {} : { turnId }) },
    ]
  }

  /** A cancellation without a stop before it withdraws all that its activation brought. */
  receiveCancellation(): void {
    this.#isCancelled = true
    if (this.#turnIds === undefined && !this.hasInputs) return
    this.#stops = [...this.#stops, { order: this.#inbox.arrivals, queue: 'withdraw', mode: 'now' }]
  }

  /** Somebody says that the log has something new of an input or a call. An activity will see whether it has. */
  receiveWake({ kind, id }: Pick<WakeSignal, 'kind' | 'id'>): void {
    if (kind !== 'withdrawn') {
      // A wake for anything but a call of this Step is void.
      if (this.#expected.has(id)) this.#calls.add(id)
      return
    }
    if (this.#inbox.entries.some((entry) => entry.input.id === id)) this.#woken = [...this.#woken, id]
  }

  // What the Turn asks

  /** The calls of a Step begin: from here on wakes are for them. */
  expectCalls(callIds: readonly string[]): void {
    this.#expected = new Set(callIds)
    this.#calls.clear()
  }

  /** Whether the log may have something new of a call. */
  isWoken(callId: string): boolean {
    return this.#calls.has(callId)
  }

  takeWake(callId: string): void {
    this.#calls.delete(callId)
  }

  /** From now on stops are judged: those for other Turns are void. */
  belongsTo(turnId: string, claimed: readonly string[]): void {
    this.#turnIds = new Set([...(this.#turnIds ?? []), turnId, ...claimed])
    this.#stops = this.#stops.filter((stop) => stop.turnId === undefined || this.#turnIds?.has(stop.turnId))
  }

  get claimedIds(): readonly string[] {
    return [...(this.#turnIds ?? [])]
  }

  /** The stop that counts: the first. */
  get stop(): Stop | undefined {
    return this.#turnIds === undefined ? undefined : this.#stops[0]
  }

  /** The run was cancelled when nothing was there to be stopped. What came since is for an uncancelled run. */
  get isSpent(): boolean {
    return this.#isCancelled && this.#turnIds === undefined && this.#stops.length === 0 && this.hasInputs
  }

  get isEmpty(): boolean {
    return this.#inbox.entries.length === 0 && this.#inbox.refused.length === 0
  }

  get hasSteers(): boolean {
    return this.#inbox.entries.some((entry) => entry.lane === 'next-step')
  }

  get hasInputs(): boolean {
    return this.#inbox.entries.length > 0
  }

  get refused(): readonly RefusedInput[] {
    return this.#inbox.refused.slice(0, REFUSED_BATCH)
  }

  /** Whether what was refused fits into the state that a run hands on. */
  get isCarryable(): boolean {
    return this.#inbox.refused.length <= REFUSED_BATCH
  }

  offerSteers(): readonly QueuedInput[] {
    this.#offered = this.#offerable('next-step')
    return this.#offered
  }

  offerFollowups(): readonly QueuedInput[] {
    return this.#offerable('next-turn').slice(0, FOLLOWUP_BATCH)
  }

  /** Takes out what an activity's answer says is recorded. */
  settle(recorded: Recorded | undefined): void {
    this.#offered = []
    if (recorded !== undefined) this.#inbox = settle(this.#inbox, recorded)
    if (this.#turnIds === undefined) this.#stops = this.#stops.filter((stop) => this.#hasAim(stop))
  }

  /** Inputs that the stop withdraws. */
  get withdrawn(): readonly QueuedInput[] {
    const { stop } = this
    return stop?.queue === 'withdraw' ? arrivedBy(this.#inbox, stop.order) : []
  }

  /** Inputs of which the log may know more: offered to an activity that never answered, or said to be withdrawn. */
  get unanswered(): readonly string[] {
    return [...this.#offered.map(({ id }) => id), ...this.#woken]
  }

  /** Whether something has to be recorded before the workflow may end. */
  get hasUnrecorded(): boolean {
    return this.#inbox.refused.length > 0 || this.withdrawn.length > 0
  }

  carry(): CarriedInbox {
    return carry(this.#inbox)
  }

  pending(): PendingInputs {
    return this.#inbox.entries
      .filter(({ input }) => !this.#woken.includes(input.id))
      .map(({ input, lane }) => ({ id: input.id, lane, content: input.content }))
  }

  /** What a lane offers; to the opening only what came before a stop that is meant for this Turn. */
  #offerable(which: Lane): readonly QueuedInput[] {
    const waiting = lane(this.#inbox, which)
    const stop =
      this.#turnIds === undefined ? this.#stops.find(({ turnId }) => turnId === undefined) : undefined
    if (stop === undefined) return waiting
    const before = new Set(arrivedBy(this.#inbox, stop.order).map(({ id }) => id))
    return waiting.filter(({ id }) => before.has(id))
  }

  /** Whether something waits that a stop without a Turn could mean. */
  #hasAim(stop: ArrivedStop): boolean {
    return stop.turnId !== undefined || arrivedBy(this.#inbox, stop.order).length > 0
  }
}

/** Starts to receive: from here on no signal and no cancellation is missed. */
export function receiveInputs(opening: TurnOpening): TurnInbox {
  const inbox = new TurnInbox(opening.inbox)
  if (opening.input !== undefined) inbox.receive('next-turn', readInput(opening.input))

  setHandler(defineSignal<[unknown]>(SIGNAL.followup), (payload) =>
    inbox.receive('next-turn', readInput(payload)),
  )
  setHandler(defineSignal<[unknown]>(SIGNAL.steer), (payload) =>
    inbox.receive('next-step', readInput(payload)),
  )
  setHandler(defineSignal<[unknown]>(SIGNAL.stop), (payload) => inbox.receiveStop(readStop(payload)))
  setHandler(defineSignal<[unknown]>(SIGNAL.interrupt), (payload) => {
    const { stop, input } = readInterrupt(payload)
    inbox.receiveStop(stop)
    inbox.receive('next-turn', input)
  })
  setHandler(defineSignal<[unknown]>(SIGNAL.wake), (payload) => {
    const wake = readWake(payload)
    if (wake !== undefined) inbox.receiveWake(wake)
  })
  setDefaultSignalHandler((_name, payload) => {
    const id = idIn(payload)
    inbox.receive('next-turn', {
      kind: 'refused',
      reason: 'invalid-input',
      ...(id === undefined ? {} : { id }),
    })
  })
  setHandler(defineQuery<PendingInputs>(QUERY.pending), () => inbox.pending())
  void CancellationScope.current().cancelRequested.catch(() => inbox.receiveCancellation())
  return inbox
}

/** Answers the `status` query from now on. */
export function answerStatus(status: () => TurnStatus): void {
  setHandler(defineQuery<TurnStatus>(QUERY.status), status)
}

function idIn(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('id' in payload)) return undefined
  return isId(payload.id) ? payload.id : undefined
}
