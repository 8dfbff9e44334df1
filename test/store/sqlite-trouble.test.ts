import { chmod, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionStore } from '../../src/core/ports.ts'
import type { LiveSchema, Schema } from '../../src/store/schema.ts'
import { createSqlStore } from '../../src/store/sql-store.ts'
import { diagnoseSqliteError } from '../../src/store/sqlite/diagnose-sqlite-error.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { connect, kyselyOn } from '../../src/store/sqlite/sqlite-connection.ts'
import { inputRefused } from '../../src/testing/session-store/sample-events.ts'
import { append, SESSION } from '../../src/testing/session-store/store-under-test.ts'
import { createSqlitePlace } from './support/sqlite-place.ts'

const OTHER = { tenant: 'default', session: 'other' }

let place: Awaited<ReturnType<typeof createSqlitePlace>>

beforeEach(async () => {
  place = await createSqlitePlace()
})

afterEach(() => place.remove())

/** Opened for this test, closed after it. */
async function openStore(options: { readonly patienceMs?: number } = {}): Promise<SessionStore> {
  const store = await openSqliteStore({ path: place.path, ...options })
  onTestFinished(() => store.close())
  return store
}

/** Overwrites all but the first two pages of a file. */
async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(size - 8192, 0xff), 0, size - 8192, 8192)
  await file.close()
}

/** A connection that is none of a store's. */
function rawConnection(path = place.path): Database.Database {
  const connection = new Database(path)
  onTestFinished(() => {
    connection.close()
  })
  return connection
}

describe('a SQLite store whose file another process has locked', () => {
  it('fails as unavailable once its patience is spent, and works again after that', async () => {
    const store = await openStore({ patienceMs: 60 })
    const raw = rawConnection()
    raw.exec('begin immediate')
    await expect(append(store, [inputRefused('a')])).rejects.toMatchObject({
      code: 'store-unavailable',
      retryable: true,
      message: expect.stringContaining('locked by another process'),
    })
    raw.exec('rollback')
    expect((await append(store, [inputRefused('a')])).kind).toBe('committed')
  })

  it('still reads', async () => {
    const store = await openStore({ patienceMs: 60 })
    await append(store, [inputRefused('a')])
    rawConnection().exec('begin immediate')
    expect((await store.read(SESSION)).length).toBe(1)
  })

  it('waits for the lock, as do all the calls behind it', async () => {
    const store = await openStore()
    const raw = rawConnection()
    raw.exec('begin immediate')
    const commits = ['a', 'b', 'c'].map((id) => append(store, [inputRefused(id)]))
    await expect(store.head(SESSION)).resolves.toEqual({ seq: 0, turns: 0 })
    raw.exec('rollback')
    const results = await Promise.all(commits)
    expect(results.map(({ head }) => head.seq)).toEqual([1, 2, 3])
  })

  it('keeps live text while only the log is locked', async () => {
    const store = await openStore({ patienceMs: 60 })
    rawConnection().exec('begin immediate')
    await store.appendLive(SESSION, [{ turnId: 't1', step: 1, attempt: 1, index: 0, text: 'hi' }])
    expect((await store.readLive(SESSION)).length).toBe(1)
  })

  it('cannot be opened, which is no damage', async () => {
    await openStore()
    rawConnection().exec('begin immediate')
    await expect(openSqliteStore({ path: place.path, patienceMs: 60 })).rejects.toMatchObject({
      code: 'store-unavailable',
    })
  })

  it('gives up at once when it closes', async () => {
    const store = await openSqliteStore({ path: place.path })
    rawConnection().exec('begin immediate')
    const waiting = expect(append(store, [inputRefused('a')])).rejects.toMatchObject({
      code: 'store-unavailable',
    })
    await store.close()
    await waiting
  })
})

describe('a SQLite store on a full disk', () => {
  it('fails as unavailable, writes nothing, and works again when there is room', async () => {
    await openStore()
    const log = connect(place.path, 'full')
    const live = connect(`${place.path}.live`, 'off')
    const store = createSqlStore(kyselyOn<Schema>(log), kyselyOn<LiveSchema>(live), {
      dialect: {
        writeLock: 'database',
        diagnose: (error) => diagnoseSqliteError(error, place.path),
        watch: () => () => undefined,
        close: () => {
          log.close()
          live.close()
          return Promise.resolve()
        },
      },
    })
    onTestFinished(() => store.close())
    const pages = log.pragma('page_count', { simple: true })
    log.pragma(`max_page_count = ${String(pages)}`)
    const large = Array.from({ length: 500 }, (_, index) => inputRefused(`i${index}`))
    await expect(append(store, large)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('full'),
    })
    expect(await store.read(SESSION)).toEqual([])
    log.pragma('max_page_count = 1000000')
    const result = await append(store, large)
    expect(result.head.seq).toBe(500)
  })
})

describe('a SQLite file that is not a store', () => {
  it('is refused as corrupt when it is no database', async () => {
    await writeFile(place.path, 'These are my notes, and no database at all. '.repeat(50))
    await expect(openSqliteStore({ path: place.path })).rejects.toMatchObject({
      code: 'store-corrupt',
      retryable: false,
      message: expect.stringContaining('not a SQLite database'),
    })
    expect((await readFile(place.path, 'utf8')).slice(0, 18)).toBe('These are my notes')
  })

  it("is refused as corrupt when it is another program's database", async () => {
    rawConnection().exec('create table sessions (id integer)')
    await expect(openSqliteStore({ path: place.path })).rejects.toMatchObject({
      code: 'store-corrupt',
      message: expect.stringContaining('another file'),
    })
    expect(rawConnection().pragma('table_list(events)')).toEqual([])
  })

  it('is refused as corrupt when it is a folder', async () => {
    await mkdir(place.path)
    await expect(openSqliteStore({ path: place.path })).rejects.toMatchObject({
      code: 'store-corrupt',
      message: expect.stringContaining('is a folder'),
    })
  })

  it('is refused as corrupt when its folder is a file', async () => {
    await writeFile(place.path, '')
    await expect(openSqliteStore({ path: join(place.path, 'store.db') })).rejects.toMatchObject({
      code: 'store-corrupt',
    })
  })

  it.skipIf(process.getuid?.() === 0)('is refused as corrupt when it may not be written', async () => {
    await (await openSqliteStore({ path: place.path })).close()
    await chmod(place.path, 0o444)
    await expect(openSqliteStore({ path: place.path })).rejects.toMatchObject({ code: 'store-corrupt' })
  })

  it('is refused as a setting when it is no file', async () => {
    await expect(openSqliteStore({ path: ':memory:' })).rejects.toMatchObject({ code: 'invalid-config' })
    await expect(openSqliteStore({ path: '' })).rejects.toMatchObject({ code: 'invalid-config' })
  })
})

describe('a SQLite store from a newer version', () => {
  it.each([
    { file: 'log', suffix: '', table: 'turnstep_migrations' },
    { file: 'live text', suffix: '.live', table: 'turnstep_live_migrations' },
  ])('is refused as corrupt by the schema of its $file, and left alone', async ({ suffix, table }) => {
    await (await openSqliteStore({ path: place.path })).close()
    const raw = rawConnection(place.path + suffix)
    const count = (): unknown => raw.prepare(`select count(*) from ${table}`).pluck().get()
    const before = Number(count())
    raw.exec(`insert into ${table} values ('9999-from-the-future', '2030-01-01T00:00:00.000Z')`)
    await expect(openSqliteStore({ path: place.path })).rejects.toMatchObject({
      code: 'store-corrupt',
      message: expect.stringContaining('9999-from-the-future'),
    })
    expect(count()).toBe(before + 1)
  })
})

describe('a damaged SQLite store', () => {
  it('fails as corrupt when its pages are overwritten', async () => {
    const writer = await openSqliteStore({ path: place.path })
    await append(
      writer,
      Array.from({ length: 300 }, (_, index) => inputRefused(`i${index}`)),
    )
    await writer.close()
    await overwrite(place.path)
    const reading = openSqliteStore({ path: place.path }).then(async (store) => {
      onTestFinished(() => store.close())
      return await store.read(SESSION)
    })
    await expect(reading).rejects.toMatchObject({ code: 'store-corrupt', retryable: false })
  })

  it('fails as corrupt when an event cannot be read, and says which', async () => {
    const store = await openStore()
    await append(store, [inputRefused('a'), inputRefused('b')])
    rawConnection().exec("update events set body = '{' where seq = 2")
    await expect(store.read(SESSION)).rejects.toMatchObject({
      code: 'store-corrupt',
      message: expect.stringContaining('event 2 (input:b)'),
    })
  })

  it('fails as corrupt when its tables are gone', async () => {
    const store = await openStore()
    rawConnection().exec('drop table events')
    await expect(store.read(SESSION)).rejects.toMatchObject({ code: 'store-corrupt' })
  })

  it('gets a new file for live text when that one is no database', async () => {
    const before = await openSqliteStore({ path: place.path })
    await append(before, [inputRefused('a')])
    await before.close()
    await writeFile(`${place.path}.live`, 'no database '.repeat(100))
    const store = await openStore()
    expect((await store.read(SESSION)).length).toBe(1)
    await store.appendLive(OTHER, [{ turnId: 't1', step: 1, attempt: 1, index: 0, text: 'hi' }])
    expect((await store.readLive(OTHER)).length).toBe(1)
  })

  it('gets a new file for live text when pages of that one are overwritten', async () => {
    const before = await openSqliteStore({ path: place.path })
    await before.appendLive(OTHER, [{ turnId: 't1', step: 1, attempt: 1, index: 0, text: 'lost' }])
    await before.close()
    await overwrite(`${place.path}.live`)
    const store = await openStore()
    expect(await store.readLive(OTHER)).toEqual([])
    await store.appendLive(OTHER, [{ turnId: 't1', step: 1, attempt: 1, index: 0, text: 'hi' }])
    expect((await store.readLive(OTHER)).length).toBe(1)
  })
})
