/**
 * The secret of a store: made once, by whoever asks first.
 */
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

const NAME = 'placeholders'

/** As `SessionStore.secret`. */
export async function readSecret(db: Kysely<Schema>): Promise<string> {
  const found = await findSecret(db)
  if (found !== undefined) return found
  await db
    .insertInto('secrets')
    .values({ name: NAME, secret: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { secret } = await db
    .selectFrom('secrets')
    .select('secret')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  return secret
}

async function findSecret(db: Kysely<Schema>): Promise<string | undefined> {
  const row = await db.selectFrom('secrets').select('secret').where('name', '=', NAME).executeTakeFirst()
  return row?.secret
}
