/**
 * API keys: `tsk_ID_SECRET`. Who has the store has only digests of them.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ApiKeyRecord, ApiKeyStore, Scope } from '../../core/access.ts'
import type { TokenCheck } from './bearer.ts'
import { REFUSED } from './bearer.ts'

const KEY = /^tsk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

export interface NewApiKey {
  readonly tenant: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt?: Date
}

/** Makes a key of 256 random bits and keeps its digest. This is the only time that anybody sees the key. */
export async function createApiKey(
  store: ApiKeyStore,
  { tenant, name, scopes, expiresAt }: NewApiKey,
): Promise<{ readonly key: string; readonly record: ApiKeyRecord }> {
  const id = randomBytes(8).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  const record: ApiKeyRecord = {
    id,
    tenant,
    name,
    scopes: [...scopes],
    secretDigest: digestOf(secret),
    createdAt: new Date().toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
  }
  await store.addApiKey(record)
  return { key: `tsk_${id}_${secret}`, record }
}

/** Looks into the store for each request, so that a key that was revoked opens nothing from then on. */
export function checkApiKey(store: ApiKeyStore): TokenCheck {
  return async (token) => {
    const [, id, secret] = KEY.exec(token) ?? []
    if (id === undefined || secret === undefined) return undefined
    const record = await store.apiKey(id)
    // Compared also where there is none, so that time does not tell which ids there are.
    const isRight = isSameDigest(record?.secretDigest ?? digestOf(''), digestOf(secret))
    if (record === undefined || !isRight || !isInForce(record, new Date())) return REFUSED
    const { tenant, name, scopes } = record
    return { tenant, name, scopes: new Set(scopes) }
  }
}

export function isInForce({ revokedAt, expiresAt }: ApiKeyRecord, now: Date): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now.toISOString() < expiresAt)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
