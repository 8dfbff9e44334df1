import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { SESSION } from '../../src/testing/session-store/store-under-test.ts'
import { startChildWriter } from './support/child-writer.ts'
import { createSqlitePlace } from './support/sqlite-place.ts'

const COMMITS = 40

describe('several processes on one SQLite file', () => {
  it('open and migrate it at once, and number their events without gaps', { timeout: 60_000 }, async () => {
    const place = await createSqlitePlace()
    onTestFinished(() => place.remove())
    const children = await Promise.all(
      ['a', 'b', 'c'].map((name) => startChildWriter(place.path, name, COMMITS)),
    )
    expect(await Promise.all(children.map((child) => child.begin()))).toEqual([0, 0, 0])

    const store = await openSqliteStore({ path: place.path })
    onTestFinished(() => store.close())
    const events = await store.read(SESSION)
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1))
    expect(events.map(({ key }) => key).sort()).toEqual(
      ['a', 'b', 'c', 'shared']
        .flatMap((name) => Array.from({ length: COMMITS }, (_, index) => `input:${name}-${index}`))
        .sort(),
    )
    expect(await store.head(SESSION)).toEqual({ seq: 160, turns: 0 })
  })

  it('tell each other of their commits', { timeout: 30_000 }, async () => {
    const place = await createSqlitePlace()
    onTestFinished(() => place.remove())
    const store = await openSqliteStore({ path: place.path })
    onTestFinished(() => store.close())
    const child = await startChildWriter(place.path, 'a', 1)
    const change = new Promise<void>((resolve) => store.watch(resolve))
    const exit = child.begin()
    await change
    expect(await exit).toBe(0)
    expect(await store.head(SESSION)).toEqual({ seq: 2, turns: 0 })
  })

  it('may be the first to need the folder', async () => {
    const place = await createSqlitePlace()
    onTestFinished(() => place.remove())
    const path = `${dirname(place.path)}/not/there/yet/store.db`
    const stores = await Promise.all([openSqliteStore({ path }), openSqliteStore({ path })])
    expect(await Promise.all(stores.map((store) => store.read(SESSION)))).toEqual([[], []])
    await Promise.all(stores.map((store) => store.close()))
  })
})
