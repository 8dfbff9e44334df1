/**
 * Who may use a gateway: scopes, and API keys as they are kept. A key itself is never kept, only its digest.
 */

/** What somebody may do: send messages, steer and withdraw, stop Turns, decide and answer calls, read. */
export type Scope = 'send' | 'steer' | 'abort' | 'approve' | 'read'

export const SCOPES: readonly Scope[] = ['send', 'steer', 'abort', 'approve', 'read']

export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value)
}

export interface ApiKeyRecord {
  /** Part of the key, and public. */
  readonly id: string
  readonly tenant: string
  /** Whose it is: recorded with what they decide. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** SHA-256 of the key's secret, lower-case hex. The secret is random, so that no slower digest is needed. */
  readonly secretDigest: string
  /** ISO 8601, as the two below. */
  readonly createdAt: string
  /** Absent: never. */
  readonly expiresAt?: string
  /** Set once it was revoked. */
  readonly revokedAt?: string
}

/** Where API keys are kept. Fails as the `SessionStore` does. */
export interface ApiKeyStore {
  addApiKey(record: ApiKeyRecord): Promise<void>
  apiKey(id: string): Promise<ApiKeyRecord | undefined>
  /** In order of creation, those that were revoked included. */
  apiKeys(): Promise<readonly ApiKeyRecord[]>
  /** From now on it opens nothing. Returns what is there; revoking again changes nothing. */
  revokeApiKey(id: string): Promise<ApiKeyRecord | undefined>
}
