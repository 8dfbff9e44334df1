/**
 * Spills: tool outputs too large for the context, kept whole in the store, of which the model sees head, tail and
 * a handle.
 */
import type { TextPosition } from './text-position.ts'

/** What the model and the log are told of a spill. */
export interface SpillNote {
  /** SHA-256 of the text's UTF-8, lower-case hex. */
  readonly id: string
  /** In UTF-8. */
  readonly bytes: number
  /** A last line without a line feed counts. */
  readonly lines: number
}

/** A spill of a Session, as the store has it. */
export interface SpillRecord extends SpillNote {
  /** When this Session kept it, last. ISO 8601. */
  readonly keptAt: string
}

/** A piece of a spill's text, and where it begins. */
export interface SpillChunk {
  /** Ordinal in the spill, from 0. */
  readonly position: number
  readonly from: TextPosition
  readonly text: string
}

/** A chunk by its ordinal, or the one that a place lies in. */
export type ChunkQuery = { readonly position: number } | { readonly at: TextPosition }

/** Text of one chunk as it is written, at most, in UTF-16 units. */
export const SPILL_CHUNK_CHARACTERS = 128 * 1024

/** Outputs above this are spilled, in bytes. */
export const DEFAULT_SPILL_BYTES = 256 * 1024

/** What one Session may keep, in bytes. */
export const DEFAULT_SPILL_QUOTA_BYTES = 1024 ** 3

export type SpillOutcome =
  | { readonly kind: 'kept'; readonly spill: SpillNote }
  /** The Session has no room for it; nothing of it is kept. */
  | { readonly kind: 'over-quota' }

/**
 * Writes one spill, chunk after chunk. After a failure with `store-unavailable` the same call may be made again.
 */
export interface SpillWriter {
  /** Adds well-formed text without NUL, at most {@link SPILL_CHUNK_CHARACTERS}. */
  write(text: string): Promise<'written' | 'over-quota'>
  /** Keeps what was written as a spill of the Session. */
  finish(): Promise<SpillOutcome>
  /** Gives up what was written. Idempotent; after `finish` it does nothing. */
  drop(): Promise<void>
}

/** The spills of one Session, for reading. */
export interface SpillReader {
  /** Undefined for one that this Session does not have, or not any more. */
  find(id: string): Promise<SpillRecord | undefined>
  /** Undefined beyond the end, and for a spill that this Session does not have. */
  chunk(id: string, query: ChunkQuery): Promise<SpillChunk | undefined>
}

/** What is written below a cut text that was kept whole. */
export function spillNoteText({ id, bytes, lines }: SpillNote): string {
  return `\n[The whole output is kept as spill ${id}: ${bytes} bytes, ${lines} lines. grep_spill finds lines in it, read_spill reads lines of it.]`
}

export const OVER_QUOTA_TEXT =
  "\n[The whole output was not kept: this session's spills have used up their quota. Ask for less.]"
