import type { DatabaseLocation } from './config.ts'
import type { ApiKeyStore } from './core/access.ts'
import { TurnstepError } from './core/errors.ts'
import type { SessionStore } from './core/ports.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'

/** Everything that is kept. */
export type TurnstepStore = SessionStore & ApiKeyStore

/** Opens the store that `DATABASE_URL` names. Fails with `invalid-config` for a kind that this version does not have. */
export async function openStore(location: DatabaseLocation): Promise<TurnstepStore> {
  if (location.kind === 'sqlite') return openSqliteStore({ path: location.path })
  throw new TurnstepError(
    'invalid-config',
    'DATABASE_URL names PostgreSQL, which this version does not support. Use sqlite:PATH.',
  )
}
