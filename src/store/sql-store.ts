/**
 * The SessionStore in SQL, for every database that Kysely speaks to.
 *
 * Owns the order of statements and what they mean. What differs between databases is in {@link SqlDialect};
 * SQL that only one of them understands has no place in this folder outside its own subfolder.
 */
import type { Kysely } from 'kysely'
import type { ApiKeyStore } from '../core/access.ts'
import { TurnstepError } from '../core/errors.ts'
import type { Clock, SessionStore } from '../core/ports.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { prepareAttemptQueries } from './attempts.ts'
import { runCommit } from './commit.ts'
import { getContent, putContent } from './contents.ts'
import { createLiveText } from './live-text.ts'
import { prepareLogQueries } from './log-queries.ts'
import { readEvents } from './read-log.ts'
import type { LiveSchema, Schema } from './schema.ts'
import { readSecret } from './secrets.ts'
import { createSession, listOpenTurns, listSessions, prepareReadHead, readSession } from './sessions.ts'
import { createSpills } from './spills.ts'
import type { SqlDialect } from './sql-dialect.ts'
import { toColumnText } from './stored-text.ts'
import { WaitingLine } from './waiting-line.ts'
import { DEFAULT_PATIENCE_MS, type Patience, withPatience } from './with-patience.ts'

export interface SqlStoreOptions {
  readonly dialect: SqlDialect
  /** For `at` and `changedAt`. Default: the system's. */
  readonly clock?: Clock
  /** How long a call waits for a busy database before it fails as `store-unavailable`. Default 5,000. */
  readonly patienceMs?: number
}

/**
 * A store on tables that are there already (`migrateToLatest`). `db` and `live` may be the same database.
 * Once closed, its methods fail with `store-unavailable`.
 */
export function createSqlStore(
  db: Kysely<Schema>,
  live: Kysely<LiveSchema>,
  options: SqlStoreOptions,
): SessionStore & ApiKeyStore {
  const { dialect, clock = { now: () => new Date() } } = options
  const call = createGate(options)
  const now = (): string => clock.now().toISOString()
  const attempts = prepareAttemptQueries(db)
  const queries = { log: prepareLogQueries(db), attempts }
  const readHead = prepareReadHead(db)
  const liveText = createLiveText(live)
  const spills = createSpills({ db, call, now: () => clock.now() })

  return {
    createSession: (record) => call.write(() => createSession(db, record, now())),
    session: (key) => call.read(() => readSession(db, key)),
    commit: (session, commit) => call.write(() => runCommit({ db, queries }, { session, at: now() }, commit)),
    read: (key, query) => call.read(() => readEvents(db, key, query)),
    find: (key, eventKey) =>
      call.read(async () => (await queries.log.findByKeys(db, key, [toColumnText(eventKey)]))[0]),
    head: (key) => call.read(() => readHead(key)),
    openTurns: () => call.read(() => listOpenTurns(db)),
    sessions: (query) => call.read(() => listSessions(db, query)),
    endAttempt: (key, unit, attempt) => call.write(() => attempts.end(key, unit, attempt)),
    putContent: (tenant, content) => call.write(() => putContent(db, tenant, content)),
    getContent: (tenant, digest) => call.read(() => getContent(db, tenant, digest)),
    beginSpill: (key, limits) => spills.begin(key, limits),
    spill: (key, id) => spills.find(key, id),
    spillChunk: (key, id, query) => spills.chunk(key, id, query),
    collectSpills: (age) => spills.collect(age),
    addApiKey: (record) => call.write(() => addApiKey(db, record)),
    apiKey: (id) => call.read(() => findApiKey(db, id)),
    apiKeys: () => call.read(() => listApiKeys(db)),
    revokeApiKey: (id) => call.write(() => revokeApiKey(db, id, now())),
    secret: () => call.write(() => readSecret(db)),
    appendLive: (key, deltas) =>
      call.writeLive(async () => liveText.append(key, await readHead(key), deltas)),
    readLive: (key, after) => call.read(() => liveText.read(key, after)),
    clearLive: (key, position) => call.writeLive(() => liveText.clear(key, position)),
    watch: (listener) => dialect.watch(listener),
    close: () => call.close(),
  }
}

/** Lets calls through to the database until the store closes, which waits for those that are under way. */
function createGate(options: Pick<SqlStoreOptions, 'dialect' | 'patienceMs'>) {
  const { dialect, patienceMs = DEFAULT_PATIENCE_MS } = options
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const patience = {
    patienceMs,
    diagnose: (error: unknown) => dialect.diagnose(error),
    isClosed: () => closing !== undefined,
  }
  const inLine = (): Patience =>
    dialect.writeLock === 'database' ? { ...patience, line: new WaitingLine() } : patience

  const through = (how: Patience) => {
    return async <T>(work: () => Promise<T>): Promise<T> => {
      if (closing !== undefined)
        throw new TurnstepError('store-unavailable', 'The store is closed in this process.')
      const running = withPatience(how, work)
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    }
  }
  return {
    read: through(patience),
    write: through(inLine()),
    writeLive: through(inLine()),
    close(): Promise<void> {
      closing ??= Promise.allSettled(underWay).then(() => dialect.close())
      return closing
    },
  }
}
