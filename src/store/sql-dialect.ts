/**
 * What differs between databases, beyond what Kysely's own dialect covers.
 */

/** What an error says about the database. */
export type Diagnosis =
  /** The lock was not to be had, and what was tried left no trace: the same again, soon, may work. */
  | { readonly kind: 'busy'; readonly message: string }
  /** It does not work now; it may later. */
  | { readonly kind: 'unavailable'; readonly message: string }
  /** It will not work until a human has done something. */
  | { readonly kind: 'corrupt'; readonly message: string }
  /** Not the database's error, or one that only a bug of ours can cause. */
  | { readonly kind: 'bug' }

/** The hooks of one database. Messages say what happened and what to do. */
export interface SqlDialect {
  /** What a writer locks. Where it is the whole database, the writers of one process wait for it in line. */
  readonly writeLock: 'database' | 'row'
  diagnose(error: unknown): Diagnosis
  /** As `SessionStore.watch`. */
  watch(listener: () => void): () => void
  /** Releases everything that was opened for the store, the Kysely instances included. Idempotent. */
  close(): Promise<void>
}
