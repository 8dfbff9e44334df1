/**
 * The tables, as Kysely sees them. Free text is kept as JSON text, which survives NUL and lone surrogates in
 * every dialect; times are ISO 8601 text, UTC.
 */

/** One row a Session: its record and, beside the log, the log's head. */
export interface SessionsTable {
  readonly tenant: string
  readonly session: string
  /** `seq` of the last event, 0 before the first. */
  readonly seq: number
  /** Ordinal of the last Turn, 0 before the first. */
  readonly turns: number
  /** `OpenTurn` as JSON, null while no Turn is open. */
  readonly open_turn: string | null
  /** `SessionMemory` as JSON, null while there is nothing to remember. */
  readonly memory: string | null
  readonly agent: string | null
  /** JSON object. */
  readonly metadata: string | null
  readonly changed_at: string
}

/** Unique by (tenant, session, seq) and by (tenant, session, key). */
export interface EventsTable {
  readonly tenant: string
  readonly session: string
  readonly seq: number
  readonly key: string
  readonly type: string
  readonly turn_id: string | null
  readonly turn: number | null
  readonly step: number | null
  readonly at: string
  readonly v: number
  /** The event as it was appended, as JSON. */
  readonly body: string
}

/** One row a unit of work: one model call, one tool call. */
export interface AttemptsTable {
  readonly tenant: string
  readonly session: string
  readonly unit: string
  /** The newest attempt that began, from 1. */
  readonly number: number
  readonly provider: number
  readonly tool: number
  readonly lost: number
  /** The newest attempt whose end is recorded, 0 for none. */
  readonly ended: number
}

export interface ContentsTable {
  readonly tenant: string
  /** SHA-256 of the text's UTF-8, lower-case hex. */
  readonly digest: string
  /** JSON string. */
  readonly content: string
}

/** One row for each Session that has a spill. */
export interface SpillsTable {
  readonly tenant: string
  readonly session: string
  /** SHA-256 of the text's UTF-8, lower-case hex. */
  readonly digest: string
  readonly bytes: number
  readonly lines: number
  readonly kept_at: string
}

/** One row for each spilled text of a tenant: which chunks it is made of. */
export interface SpillTextsTable {
  readonly tenant: string
  readonly digest: string
  readonly blob: string
  /** The newest of its spills'. */
  readonly kept_at: string
}

/** One row for each set of chunks that is no text: not yet, or not any more. */
export interface SpillDraftsTable {
  readonly tenant: string
  readonly blob: string
  /** Empty for what is given up. */
  readonly started_at: string
}

export interface SpillChunksTable {
  readonly tenant: string
  readonly blob: string
  /** From 0. */
  readonly position: number
  /** Where it begins in the text, from 0. */
  readonly from_line: number
  readonly from_column: number
  readonly text: string
}

/** One row a secret of the store's own; they tell placeholders, and nobody's access. */
export interface SecretsTable {
  readonly name: string
  /** 256 bits, as lower-case hexadecimal digits. */
  readonly secret: string
}

/** Keys of the gateway. What opens is the secret, of which there is only a digest. */
export interface ApiKeysTable {
  readonly id: string
  readonly tenant: string
  readonly name: string
  /** With spaces between them. */
  readonly scopes: string
  readonly secret_digest: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

export interface Schema {
  readonly sessions: SessionsTable
  readonly events: EventsTable
  readonly attempts: AttemptsTable
  readonly contents: ContentsTable
  readonly spills: SpillsTable
  readonly spill_texts: SpillTextsTable
  readonly spill_drafts: SpillDraftsTable
  readonly spill_chunks: SpillChunksTable
  readonly secrets: SecretsTable
  readonly api_keys: ApiKeysTable
}

/** One row a delta. A Session has rows of one attempt, the newest. */
export interface LiveTable {
  readonly tenant: string
  readonly session: string
  readonly turn_id: string
  readonly step: number
  readonly attempt: number
  /** Place in the attempt, from 0. */
  readonly position: number
  /** `ModelDelta` as JSON. */
  readonly delta: string
}

/** Apart from the log, because live text may be lost and is written far more often. */
export interface LiveSchema {
  readonly live: LiveTable
}
