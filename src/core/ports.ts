/**
 * What the core needs from outside: Model, SessionStore, ToolHost, Clock. Adapters implement these.
 */
import type { CallPreview, Event, EventType, Finish, NewEvent, RiskLevel } from './event.ts'
import type { SessionKey } from './ids.ts'
import type { LogHead, Refusal } from './log-head.ts'
import type { Message, Reasoning } from './message.ts'
import type { ToolEffect } from './receipt.ts'
import type { RedactionPolicy } from './redaction/redaction-policy.ts'
import type { ChunkQuery, SpillChunk, SpillReader, SpillRecord, SpillWriter } from './spill.ts'
import type { Usage } from './usage.ts'

// ---------------------------------------------------------------------------------------------- Clock

export interface Clock {
  now(): Date
}

// ---------------------------------------------------------------------------------------------- Model

export interface ModelToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, an object schema. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ModelRequest {
  readonly instructions: string
  readonly messages: readonly Message[]
  /** In a fixed order, because providers cache byte-stable prefixes. */
  readonly tools: readonly ModelToolDescription[]
}

/** A piece of an answer as it streams. Exactly one of the fields is set. */
export interface ModelDelta {
  readonly text?: string
  readonly reasoning?: string
  /** A call that has begun to arrive; its arguments are not shown until they are whole. */
  readonly toolCall?: string
}

/** A call as the model sent it, before validation. */
export interface RawCall {
  readonly tool: string
  /** JSON text, possibly empty or malformed. */
  readonly argumentsText: string
  /** False when the stream ended before the arguments were a whole JSON value. */
  readonly isWhole: boolean
}

export interface ModelResponse {
  readonly text: string
  readonly reasoning?: Reasoning
  readonly calls: readonly RawCall[]
  readonly finish: Finish
  /** Absent when the provider reported none; the caller estimates. */
  readonly usage?: Usage
  /** The model that answered, by the provider's own name. */
  readonly model: string
}

/**
 * One model behind one provider.
 *
 * `respond` makes exactly one request and never retries. It fails with a `TurnstepError` (codes
 * `rate-limited`, `provider-unavailable`, `provider-rejected`, `provider-auth`, `provider-protocol`,
 * `context-too-long`), and with the signal's reason once the signal is aborted. What streamed before a failure has been passed to
 * `onDelta`. `onDelta` is synchronous and must not throw.
 */
export interface Model {
  /** Model name as sent to the provider. */
  readonly name: string
  respond(
    request: ModelRequest,
    options: { readonly signal: AbortSignal; readonly onDelta: (delta: ModelDelta) => void },
  ): Promise<ModelResponse>
}

// ------------------------------------------------------------------------------------------- Notifier

/** Reaches whoever asked to be told of a Turn. Each fails when it was not taken, to be tried again. */
export interface Notifier {
  /** Posts a JSON body to a public address. `id` is the same whenever the same thing is told. */
  webhook(url: string, message: { readonly id: string; readonly body: string }): Promise<void>
  /** Signals a workflow; one that is over is not told. */
  signal(workflowId: string, signal: string, payload: unknown): Promise<void>
}

// ------------------------------------------------------------------------------------------- ToolHost

/** What the model and the workflow need to know about a tool, as plain data. */
export interface ToolDescription extends ModelToolDescription {
  readonly effect: ToolEffect
  /** A fixed level, or `by-arguments` when the definition gives a function. */
  readonly risk: RiskLevel | 'by-arguments'
  readonly timeoutMs: number
  /** How often a failed `read` or `idempotent` call is tried again; 0 for never. */
  readonly retries: number
  readonly poll?: { readonly maxCalls?: number; readonly maxDurationMs?: number }
  /** Who runs it: a worker, or whoever talks to the agent (then `timeoutMs` is until when it may answer). Absent: `worker`. */
  readonly execution?: 'client'
  /** Whether its results bring in what others wrote. Absent: they do if it only reads. */
  readonly outside?: boolean
  readonly result?: ResultPolicy
  /** What is redacted of what it returns and throws. Absent: `default`. */
  readonly redact?: RedactionPolicy
  /** Whether what it returns is mapped before it is rendered. */
  readonly isMapped?: true
}

/** Whether what a tool returns comes from outside, so that what follows is judged more strictly. */
export function bringsOutside(tool: Pick<ToolDescription, 'effect' | 'outside'>): boolean {
  return tool.outside ?? tool.effect === 'read'
}

/** What becomes of a tool's results on their way to the model. */
export interface ResultPolicy {
  /** Longer results are cut to head and tail. UTF-16 units, default 4,000. */
  readonly maxCharacters?: number
  /** `never`: what is cut is not kept, however large. */
  readonly spill?: 'never'
}

export interface ToolRunContext {
  readonly signal: AbortSignal
  /** The same on every attempt of this call. */
  readonly requestId: string
  readonly callId: string
  readonly session: SessionKey
  readonly turnId: string
  /** Large outputs of earlier calls of this Session. */
  readonly spills: SpillReader
}

export type Validation =
  | { readonly kind: 'valid'; readonly args: unknown; readonly risk: RiskLevel }
  /** `problem` is written for the model: path, rule and the offending value, bounded. */
  | { readonly kind: 'invalid'; readonly problem: string }

/** The tools of one agent. `run` is handed what `validate` returned, and throws what the tool throws. */
export interface ToolHost {
  describe(): readonly ToolDescription[]
  validate(tool: string, args: unknown): Validation | Promise<Validation>
  run(tool: string, args: unknown, context: ToolRunContext): Promise<unknown>
  /** What a call would change, for a human who decides on it. Throws what the tool throws. */
  preview?(
    tool: string,
    args: unknown,
    context: Pick<ToolRunContext, 'signal' | 'session' | 'turnId'>,
  ): Promise<CallPreview | undefined>
  /** What the model is to see of a result, by the tool's definition. Absent: all of it. Throws what that throws. */
  shape?(tool: string, result: unknown, args: unknown): unknown
}

// --------------------------------------------------------------------------------------- SessionStore

/** How often a unit of work (one model call, one tool call) was begun and how its attempts failed. */
export interface Attempts {
  /** The attempt that this commit begins, from 1. */
  readonly number: number
  /** Attempts that ended in a provider's failure. */
  readonly provider: number
  /** Attempts that ended in the tool's own failure. */
  readonly tool: number
  /** Attempts of which no end was recorded: their worker was lost. */
  readonly lost: number
}

export type AttemptOutcome = 'provider' | 'tool' | 'interrupted' | 'done'

/** What a commit's decision looks at, read in the transaction that appends. */
export interface CommitView {
  readonly head: LogHead
  /** The event under one of the keys that the commit named. */
  existing(key: string): Event | undefined
  /** Set when the commit asked to begin an attempt. */
  readonly attempts?: Attempts
}

export interface Decision<R> {
  readonly append: readonly NewEvent[]
  readonly answer: R
}

/**
 * One atomic append. `decide` is pure and synchronous and may run more than once.
 *
 * `keys` names the events that it wants to look at. `beginAttempt` names a unit whose attempt counter is
 * advanced in the same transaction.
 */
export interface Commit<R> {
  readonly keys: readonly string[]
  readonly beginAttempt?: string
  decide(view: CommitView): Decision<R>
}

export type CommitResult<R> =
  | {
      readonly kind: 'committed'
      readonly answer: R
      /** One for each that was to be appended, in that order: the new event, or the one that had its key. */
      readonly events: readonly Event[]
      /** How many of them are new. */
      readonly appended: number
      readonly head: LogHead
      readonly attempts?: Attempts
    }
  /** Nothing was written: the fence (`advanceHead`) refused an event. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly head: LogHead }

export interface ReadQuery {
  /** Only events after this `seq`. */
  readonly afterSeq?: number
  readonly limit?: number
  readonly turnId?: string
  readonly types?: readonly EventType[]
}

/** Where a piece of live text belongs, and its place in its attempt (gapless from 0). */
export interface LivePosition {
  readonly turnId: string
  readonly step: number
  readonly attempt: number
  readonly index: number
}

export type LiveDelta = LivePosition & ModelDelta

export interface SessionRecord {
  readonly key: SessionKey
  /** Name of its agent, undefined for the default one. */
  readonly agent?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface ListedSession extends SessionRecord {
  readonly head: LogHead
  /** ISO 8601. */
  readonly changedAt: string
}

export interface CollectedSpills {
  /** Spills that Sessions do not have any more. */
  readonly spills: number
  /** Texts that were deleted, unfinished ones included. */
  readonly texts: number
}

/**
 * The log of every Session, the live text beside it, spilled outputs, and content kept by digest.
 *
 * Several processes may use one store. Every method fails with `store-unavailable` (try again) or
 * `store-corrupt` (do not); a commit that failed as unavailable may or may not have been written.
 */
export interface SessionStore {
  /** Creates the Session if it does not exist; an existing one is left as it is. Returns what is there. */
  createSession(record: SessionRecord): Promise<SessionRecord>
  session(key: SessionKey): Promise<SessionRecord | undefined>

  /** Appends atomically, idempotent by key, fenced by `advanceHead`. The Session need not exist. */
  commit<R>(key: SessionKey, commit: Commit<R>): Promise<CommitResult<R>>
  /** Events in order of `seq`. */
  read(key: SessionKey, query?: ReadQuery): Promise<readonly Event[]>
  /** The event under a key, if any. */
  find(key: SessionKey, eventKey: string): Promise<Event | undefined>
  head(key: SessionKey): Promise<LogHead>
  /** Sessions with an open Turn. */
  openTurns(): Promise<readonly { readonly key: SessionKey; readonly head: LogHead }[]>
  /** Sessions by last change, newest first. */
  sessions(query: { readonly tenant: string; readonly limit: number }): Promise<readonly ListedSession[]>

  /** Records how an attempt ended, and returns the unit's counts with it. Idempotent per attempt. */
  endAttempt(
    key: SessionKey,
    unit: string,
    attempt: { readonly number: number; readonly outcome: AttemptOutcome },
  ): Promise<Attempts>

  /** Keeps content under its SHA-256 (lower-case hex) and returns that. Idempotent. */
  putContent(tenant: string, content: string): Promise<string>
  getContent(tenant: string, digest: string): Promise<string | undefined>

  /**
   * Begins a spill of the Session. Until it is finished nobody can read it, and one that never is, is garbage. All
   * spills of the Session together keep within `quotaBytes`; a text that the tenant has already is stored once.
   */
  beginSpill(key: SessionKey, options: { readonly quotaBytes: number }): Promise<SpillWriter>
  /** A spill of this Session; undefined for those of others. */
  spill(key: SessionKey, id: string): Promise<SpillRecord | undefined>
  /** One chunk of a spill of this Session. */
  spillChunk(key: SessionKey, id: string, query: ChunkQuery): Promise<SpillChunk | undefined>
  /**
   * Removes spills that were last kept before a time, and what of unfinished ones is a day old. In small steps; may
   * be called again whatever became of it.
   */
  collectSpills(options: { readonly keptBefore: Date }): Promise<CollectedSpills>

  /**
   * The store's own secret: 256 random bits as lower-case hexadecimal digits, made once, the same for every process
   * and for ever. Placeholders of redacted text are keyed by it.
   */
  secret(): Promise<string>

  /** Adds live text; deltas of older attempts of that Step are dropped. */
  appendLive(key: SessionKey, deltas: readonly LiveDelta[]): Promise<void>
  /** Live text of the newest attempt of the newest Step, in order, after a position if one is given. */
  readLive(key: SessionKey, after?: LivePosition): Promise<readonly LiveDelta[]>
  /** Drops the live text of a Step, once its message is committed. */
  clearLive(key: SessionKey, position: { readonly turnId: string; readonly step: number }): Promise<void>

  /**
   * Calls `listener` soon (about 20 ms) after any process has changed the log or the live text. Changes may
   * be merged into one call. Returns what ends it.
   */
  watch(listener: () => void): () => void
  close(): Promise<void>
}
