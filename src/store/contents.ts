/**
 * Content kept by its digest: large inputs and agents as they were.
 */
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'
import { parseStored } from './stored-text.ts'

/** As `SessionStore.putContent`. Lone surrogates become U+FFFD, so that the digest is that of what comes back. */
export async function putContent(db: Kysely<Schema>, tenant: string, content: string): Promise<string> {
  const text = content.toWellFormed()
  const digest = createHash('sha256').update(text, 'utf8').digest('hex')
  await db
    .insertInto('contents')
    .values({ tenant, digest, content: JSON.stringify(text) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return digest
}

/** As `SessionStore.getContent`. */
export async function getContent(
  db: Kysely<Schema>,
  tenant: string,
  digest: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('contents')
    .select('content')
    .where('tenant', '=', tenant)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row === undefined ? undefined : (parseStored(row.content, `content ${digest}`) as string)
}
