import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { environment } from '../../../../src/config.ts'
import type { Event } from '../../../../src/core/event.ts'
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.ts'
import type { ScriptedModelServer } from '../../../../src/testing/scripted-model-server.ts'
import { temporalAddress } from '../../../support/temporal-address.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** A folder to run commands in, with the environment that they get and nothing of ours. */
export interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** A Session that no other test has: tests with the shared server share its workflow ids. */
  readonly session: string
}

/**
 * `shared` uses the suite's Temporal server, on a task queue of its own; `own` has each command find or start the
 * server of the folder, as a user's does.
 */
export async function newPlace(
  temporal: 'shared' | 'own',
  model?: Pick<ScriptedModelServer, 'url'>,
): Promise<Place> {
  const { PATH = '', HOME = '', XDG_CACHE_HOME } = process.env
  const shared = { TEMPORAL_ADDRESS: temporalAddress(), TURNSTEP_TASK_QUEUE: `test-${crypto.randomUUID()}` }
  return {
    folder: await temporaryFolder(),
    session: `s-${crypto.randomUUID()}`,
    env: {
      PATH,
      HOME,
      TURNSTEP_PORT: '0',
      ...(XDG_CACHE_HOME === undefined ? {} : { XDG_CACHE_HOME }),
      ...(temporal === 'shared' ? shared : {}),
      ...(model === undefined ? {} : { OPENAI_BASE_URL: model.url, TURNSTEP_MODEL: 'scripted-model' }),
    },
  }
}

/** The log of the place's Session, or of another one there. */
export async function logOf(place: Place, session = place.session): Promise<readonly Event[]> {
  const { database } = environment(place.env, place.folder)
  if (database.kind !== 'sqlite') throw new Error('not SQLite')
  const store = await openSqliteStore({ path: database.path })
  try {
    return await store.read({ tenant: 'default', session })
  } finally {
    await store.close()
  }
}

/** The process id of the Temporal server that was started for a place. */
export async function serverPid(place: Place): Promise<number> {
  const record = await readFile(join(place.folder, '.turnstep', 'temporal', 'server.json'), 'utf8')
  return (JSON.parse(record) as { pid: number }).pid
}
