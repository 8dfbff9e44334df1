import type { Kysely, Selectable } from 'kysely'
import type { ApiKeyRecord, Scope } from '../core/access.ts'
import type { ApiKeysTable, Schema } from './schema.ts'

export async function addApiKey(db: Kysely<Schema>, record: ApiKeyRecord): Promise<void> {
  const { id, tenant, name, scopes, secretDigest, createdAt, expiresAt = null, revokedAt = null } = record
  await db
    .insertInto('api_keys')
    .values({
      id,
      tenant,
      name,
      scopes: scopes.join(' '),
      secret_digest: secretDigest,
      created_at: createdAt,
      expires_at: expiresAt,
      revoked_at: revokedAt,
    })
    .execute()
}

export async function findApiKey(db: Kysely<Schema>, id: string): Promise<ApiKeyRecord | undefined> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : recordOf(row)
}

export async function listApiKeys(db: Kysely<Schema>): Promise<readonly ApiKeyRecord[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(recordOf)
}

export async function revokeApiKey(
  db: Kysely<Schema>,
  id: string,
  now: string,
): Promise<ApiKeyRecord | undefined> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  return findApiKey(db, id)
}

function recordOf(row: Selectable<ApiKeysTable>): ApiKeyRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    name: row.name,
    scopes: row.scopes.split(' ').filter((scope) => scope !== '') as Scope[],
    secretDigest: row.secret_digest,
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  }
}
