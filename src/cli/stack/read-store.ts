import { existsSync } from 'node:fs'
import type { Environment } from '../../config.ts'
import { openStore, type TurnstepStore } from '../../open-store.ts'

/** Opens the store to read it; undefined where there is none yet, so that looking leaves nothing behind. */
export async function openExistingStore({ database }: Environment): Promise<TurnstepStore | undefined> {
  if (database.kind === 'sqlite' && !existsSync(database.path)) return undefined
  return openStore(database)
}
