/**
 * A Session as an application sees it: send, steer, stop, follow, wait.
 */
import { deriveMessages } from '../core/derive-messages.ts'
import { TurnstepError } from '../core/errors.ts'
import type { AuditRecorded, Event, RefusalReason } from '../core/event.ts'
import type { SpillMatches } from '../core/grep-spill.ts'
import { turnKey } from '../core/ids.ts'
import type { Content, Message } from '../core/message.ts'
import type { SpillPage } from '../core/read-spill.ts'
import type { TurnCost } from '../core/turn-cost.ts'
import { turnOutcome } from '../core/turn-outcome.ts'
import type { TurnReport } from '../core/turn-report.ts'
import { phaseOf } from '../core/turn-state.ts'
import type { InputSignal, PendingInputs, TurnOutcome, TurnPhase } from '../core/wire.ts'
import { SIGNAL } from '../core/wire.ts'
import type { AbortOptions, AbortResult } from './abort-turn.ts'
import { abortTurn, sendStop } from './abort-turn.ts'
import type { AnswerOptions } from './answer-call.ts'
import { answerCall } from './answer-call.ts'
import { decideCall } from './decide-call.ts'
import type { DecisionOptions } from './decision-options.ts'
import type { FollowOptions, StreamItem } from './follow-events.ts'
import { followEvents, followLive } from './follow-events.ts'
import { type FateOfInput, readInputFate } from './read-input-fate.ts'
import { readSpilled, type SpillQuery, searchSpilled } from './read-spilled.ts'
import { readTurnCost } from './read-turn-cost.ts'
import { readTurnReport } from './read-turn-report.ts'
import type { InputOptions } from './send-input.ts'
import { inputSignal, sendInterrupt, signalWithStart, startIfIdle } from './send-input.ts'
import type { SessionLink } from './session-link.ts'
import { closeIfAbandoned, currentRun, fateOf } from './session-link.ts'
import type { WaitOptions } from './wait-for-change.ts'
import { waitFor } from './wait-for-change.ts'
import type { PendingApproval, PendingClientCall } from './waiting-calls.ts'
import { auditsOf, waitingCalls } from './waiting-calls.ts'
import { isKnown, pendingInputs, withdrawInput } from './withdraw-input.ts'

export interface FollowupOptions extends InputOptions {
  /** When a Turn is running: queue it (`accept`, the default), fail with `session-busy`, or stop that Turn first. */
  readonly whenBusy?: 'accept' | 'reject' | 'interrupt'
}

export type SteerOptions = InputOptions & Pick<InputSignal, 'expectedTurnId' | 'ifStale'>

/** What became of an input, once it is known; of one that was claimed, how its Turn ended. */
export type InputResult =
  | ({ readonly fate: 'claimed' } & TurnOutcome)
  | { readonly fate: 'withdrawn' }
  | { readonly fate: 'refused'; readonly reason: RefusalReason }

export interface SessionStatus {
  readonly phase: 'idle' | 'running' | 'waiting_human'
  /** Set while a Turn is open. */
  readonly turnId?: string
  readonly step?: number
  readonly turnPhase?: TurnPhase
  /** By the Turns that have ended. */
  readonly spent: SessionSpending
  /** Undefined when no worker answers. */
  readonly pending?: PendingInputs
  /** What waits for a decision, and calls that the client is to run; absent when there are none. */
  readonly approvals?: readonly PendingApproval[]
  readonly clientCalls?: readonly PendingClientCall[]
}

/** What a Session's model calls took, attempts that were lost included. */
export interface SessionSpending {
  /** In and out. */
  readonly tokens: number
  /** Micro-USD of what had a price. */
  readonly costMicroUsd: number
}

/** How often a wait looks whether a workflow was ended from outside. */
const ABANDONED_CHECK_MS = 2_000

export class Session {
  readonly #link: SessionLink

  constructor(link: SessionLink) {
    this.#link = link
  }

  get id(): string {
    return this.#link.key.session
  }

  /**
   * Where in the log to begin reading of what becomes of an input: just before its Turn, or before its end without
   * one. Undefined while the log has nothing of it.
   */
  async placeOf(inputId: string): Promise<{ readonly after: number; readonly turnId?: string } | undefined> {
    const { store, key } = this.#link
    const fate = await fateOf(this.#link, inputId)
    if (fate === undefined) return undefined
    if (fate.turnId === null || fate.type !== 'user/message') return { after: fate.seq - 1 }
    const start = await store.find(key, turnKey(fate.turnId, 'start'))
    return { after: (start?.seq ?? 1) - 1, turnId: fate.turnId }
  }

  /** Sends a message that opens a Turn: at once when the Session is idle, else after those before it. */
  async followup(content: Content, options: FollowupOptions = {}): Promise<{ readonly inputId: string }> {
    const { whenBusy = 'accept', ...rest } = options
    const input = await inputSignal(this.#link, content, rest)
    if (whenBusy === 'reject') await startIfIdle(this.#link, input)
    else if (whenBusy === 'interrupt') await this.#interrupt(input)
    else await signalWithStart(this.#link, SIGNAL.followup, input)
    return { inputId: input.id }
  }

  /** Sends a message that joins the running Turn at its next Step; opens a Turn when the Session is idle. */
  async steer(content: Content, options: SteerOptions = {}): Promise<{ readonly inputId: string }> {
    const input = await inputSignal(this.#link, content, options)
    await signalWithStart(this.#link, SIGNAL.steer, input)
    return { inputId: input.id }
  }

  /** Stops a Turn and answers how it ended. See {@link abortTurn}. */
  async abort(options: AbortOptions = {}): Promise<AbortResult> {
    return abortTurn(this.#link, options)
  }

  /** Takes back an input that still waits. See {@link withdrawInput}. */
  async withdraw(inputId: string): Promise<void> {
    return withdrawInput(this.#link, inputId)
  }

  /** Decides on a call, or a text, that waits for a human. See {@link decideCall}. */
  async decide(callId: string, options: DecisionOptions): Promise<void> {
    return decideCall(this.#link, callId, options)
  }

  /** Posts the result of a call that the client runs. See {@link answerCall}. */
  async answer(callId: string, options: AnswerOptions): Promise<void> {
    return answerCall(this.#link, callId, options)
  }

  /** What waits for a decision: calls, and texts that guardrails hold. */
  async approvals(): Promise<readonly PendingApproval[]> {
    return (await waitingCalls(this.#link)).approvals
  }

  /** The calls that the client is to run. */
  async clientCalls(): Promise<readonly PendingClientCall[]> {
    return (await waitingCalls(this.#link)).calls
  }

  /** What calls of more than low risk did, in order. */
  async audits(): Promise<readonly (AuditRecorded & { readonly at: string })[]> {
    return auditsOf(this.#link)
  }

  /**
   * The Turn that an input opened or joined. `result` waits on the log, so it works across restarts; `cost` tells
   * what it has spent so far, Step by Step, `report` also how it stands or ended. See {@link readTurnCost} and
   * {@link readTurnReport}.
   */
  turn(inputId: string): {
    result(options?: WaitOptions): Promise<InputResult>
    cost(): Promise<TurnCost>
    report(): Promise<TurnReport>
  } {
    return {
      result: (options = {}) => this.#result(inputId, options),
      cost: () => readTurnCost(this.#link, inputId),
      report: () => readTurnReport(this.#link, inputId),
    }
  }

  /** What became of an input so far. See {@link readInputFate}. */
  async input(inputId: string): Promise<FateOfInput> {
    return readInputFate(this.#link, inputId)
  }

  /** The log, in order; with `live` also the text that is being written; with `follow` until the signal fires. */
  events(options: FollowOptions & { readonly live: true }): AsyncGenerator<StreamItem>
  events(options?: FollowOptions & { readonly live?: false }): AsyncGenerator<Event>
  events(
    options: FollowOptions & { readonly live?: boolean } = {},
  ): AsyncGenerator<StreamItem> | AsyncGenerator<Event> {
    return options.live === true ? followLive(this.#link, options) : followEvents(this.#link, options)
  }

  /** One page of the log. */
  async page(query: { readonly after?: number; readonly limit?: number } = {}): Promise<readonly Event[]> {
    const { after = 0, limit = 500 } = query
    return this.#link.store.read(this.#link.key, { afterSeq: after, limit })
  }

  /** Where the log ends, and the `seq` of the start of the Turn that is open. */
  async position(): Promise<{ readonly seq: number; readonly turnStart?: number }> {
    const { store, key } = this.#link
    const { seq, open } = await store.head(key)
    const start = open && (await store.find(key, turnKey(open.turnId, 'start')))
    return start === undefined ? { seq } : { seq, turnStart: start.seq }
  }

  /** The conversation, provider-neutral. */
  async messages(): Promise<readonly Message[]> {
    return deriveMessages(await this.#link.store.read(this.#link.key))
  }

  /** Reads or searches a spilled output of this Session. See {@link readSpilled}. */
  async spill(id: string, query: SpillQuery & { readonly grep: string }): Promise<SpillMatches>
  async spill(id: string, query?: SpillQuery): Promise<SpillPage>
  async spill(
    id: string,
    query: SpillQuery & { readonly grep?: string } = {},
  ): Promise<SpillPage | SpillMatches> {
    return query.grep === undefined
      ? readSpilled(this.#link, id, query)
      : searchSpilled(this.#link, { id, pattern: query.grep }, query)
  }

  /** Where the Session stands, by its log; what waits, by its workflow. */
  async status(): Promise<SessionStatus> {
    const { store, key } = this.#link
    const { open, memory = {} } = await store.head(key)
    const spent = { tokens: memory.tokens ?? 0, costMicroUsd: memory.costMicroUsd ?? 0 }
    const run = await currentRun(this.#link)
    const isRunning = run?.isRunning === true
    const pending = isRunning ? await pendingInputs(this.#link).catch(() => undefined) : []
    const told = { spent, ...(pending === undefined ? {} : { pending }) }
    if (open === undefined) return { phase: isRunning ? 'running' : 'idle', ...told }
    const turnPhase = phaseOf(await store.read(key, { turnId: open.turnId }))
    const phase = turnPhase === 'waiting_human' ? 'waiting_human' : 'running'
    const { approvals, calls } = await waitingCalls(this.#link)
    return {
      phase,
      turnId: open.turnId,
      step: open.step,
      turnPhase,
      ...told,
      ...(approvals.length > 0 ? { approvals } : {}),
      ...(calls.length > 0 ? { clientCalls: calls } : {}),
    }
  }

  /** Waits until no Turn is open and nothing waits. */
  async whenIdle(options: WaitOptions = {}): Promise<void> {
    const { store, key } = this.#link
    let checkedAt = Date.now()
    await waitFor(
      store,
      async () => {
        const { open } = await store.head(key)
        if (open === undefined) {
          const run = await currentRun(this.#link)
          return run?.isRunning === true ? undefined : true
        }
        if (Date.now() - checkedAt < ABANDONED_CHECK_MS) return undefined
        checkedAt = Date.now()
        await closeIfAbandoned(this.#link)
        return undefined
      },
      options,
    )
  }

  async #interrupt(input: InputSignal): Promise<void> {
    // Sent before, and arrived: sending it again must stop nothing.
    if (await isKnown(this.#link, input.id)) return
    const { open } = await this.#link.store.head(this.#link.key)
    if (open === undefined) return signalWithStart(this.#link, SIGNAL.followup, input)
    await sendInterrupt(this.#link, open.turnId, input)
    // The stop that came with the input counts, as the first; this brings the cancellation.
    await sendStop(this.#link, { v: 1, turnId: open.turnId })
  }

  async #result(inputId: string, options: WaitOptions): Promise<InputResult> {
    const { store, key } = this.#link
    let checkedAt = Date.now()
    let seenSeq = -1
    return waitFor(
      store,
      async () => {
        const { seq } = await store.head(key)
        if (seq === seenSeq && Date.now() - checkedAt < ABANDONED_CHECK_MS) return undefined
        seenSeq = seq
        const fate = await fateOf(this.#link, inputId)
        if (fate?.type === 'input/withdrawn') return { fate: 'withdrawn' as const }
        if (fate?.type === 'input/refused') return { fate: 'refused' as const, reason: fate.reason }
        if (
          fate?.type === 'user/message' &&
          (await store.find(key, turnKey(fate.turnId, 'end'))) !== undefined
        ) {
          const outcome = turnOutcome(await store.read(key, { turnId: fate.turnId }), fate.turnId)
          if (outcome !== undefined) return { fate: 'claimed' as const, ...outcome }
        }
        if (Date.now() - checkedAt < ABANDONED_CHECK_MS) return undefined
        checkedAt = Date.now()
        await this.#checkAlive(inputId)
        return undefined
      },
      options,
    )
  }

  /** Nothing has come for a while: is anything left that could bring it? */
  async #checkAlive(inputId: string): Promise<void> {
    if (await closeIfAbandoned(this.#link)) return
    const run = await currentRun(this.#link)
    if (run?.isRunning === true || (await fateOf(this.#link, inputId)) !== undefined) return
    throw new TurnstepError(
      'input-not-found',
      `Input ${inputId} is not in the log of session ${this.id}, and nothing runs that could claim it. Send it again with the same id.`,
    )
  }
}
