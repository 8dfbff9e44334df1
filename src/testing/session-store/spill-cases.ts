/**
 * Spilled outputs: kept by what they say, read by place, and collected when they are old.
 */
import type { SessionKey } from '../../core/ids.ts'
import type { SessionStore } from '../../core/ports.ts'
import type { SpillOutcome } from '../../core/spill.ts'
import { SESSION, type Suite } from './store-under-test.ts'

const OTHER_SESSION: SessionKey = { tenant: 'default', session: 'another' }
const OTHER_TENANT: SessionKey = { tenant: 'another', session: 'conversation' }
const QUOTA = { quotaBytes: 1_000_000 }

/** SHA-256 of `one\ntwo\nthree`. */
const ID = '058053d87c818d699cde0f00d670bca0e1c6ad857caa9758ea6a556d7c64fcee'
const CHUNKS = ['one\nt', 'wo\nthr', 'ee']

async function spill(
  store: SessionStore,
  chunks: readonly string[] = CHUNKS,
  { key = SESSION, quotaBytes = QUOTA.quotaBytes }: { key?: SessionKey; quotaBytes?: number } = {},
): Promise<SpillOutcome> {
  const writer = await store.beginSpill(key, { quotaBytes })
  for (const chunk of chunks) {
    const written = await writer.write(chunk)
    if (written === 'over-quota') {
      await writer.drop()
      return { kind: written }
    }
  }
  return writer.finish()
}

export function describeSpills(suite: Suite): void {
  const { describe, it, expect, under } = suite
  describe('spills', () => {
    it('are kept under the SHA-256 of their text, with size and lines', async () => {
      const { store, other } = under()
      expect(await spill(store)).toEqual({ kind: 'kept', spill: { id: ID, bytes: 13, lines: 3 } })
      expect(await other.spill(SESSION, ID)).toEqual({
        id: ID,
        bytes: 13,
        lines: 3,
        keptAt: '2026-01-01T00:00:00.000Z',
      })
    })

    it('are read chunk by chunk', async () => {
      const { store, other } = under()
      await spill(store)
      expect(await other.spillChunk(SESSION, ID, { position: 1 })).toEqual({
        position: 1,
        from: { line: 1, column: 1 },
        text: 'wo\nthr',
      })
      expect(await other.spillChunk(SESSION, ID, { position: 3 })).toBe(undefined)
    })

    it('are read by place', async () => {
      const { store } = under()
      await spill(store)
      const positionOf = async (line: number, column: number) =>
        (await store.spillChunk(SESSION, ID, { at: { line, column } }))?.position
      expect(await positionOf(0, 0)).toBe(0)
      expect(await positionOf(1, 0)).toBe(0)
      expect(await positionOf(1, 1)).toBe(1)
      expect(await positionOf(2, 0)).toBe(1)
      expect(await positionOf(2, 3)).toBe(2)
      expect(await positionOf(9, 9)).toBe(2)
    })

    it('keep every character', async () => {
      const { store } = under()
      const text = 'é€😀\u2028"\\\r\n\ttab'
      const outcome = await spill(store, [text])
      const id = outcome.kind === 'kept' ? outcome.spill.id : ''
      expect((await store.spillChunk(SESSION, id, { position: 0 }))?.text).toBe(text)
    })

    it('are read by nobody before they are finished', async () => {
      const { store } = under()
      const writer = await store.beginSpill(SESSION, QUOTA)
      for (const chunk of CHUNKS) await writer.write(chunk)
      expect(await store.spill(SESSION, ID)).toBe(undefined)
      expect(await store.spillChunk(SESSION, ID, { position: 0 })).toBe(undefined)
    })

    it('leave nothing when they are dropped', async () => {
      const { store } = under()
      const writer = await store.beginSpill(SESSION, QUOTA)
      await writer.write('one\n')
      await writer.drop()
      await writer.drop()
      expect(await store.spill(SESSION, ID)).toBe(undefined)
      expect(await store.collectSpills({ keptBefore: new Date(0) })).toEqual({ spills: 0, texts: 0 })
    })

    it('stay when they are dropped after they were finished', async () => {
      const { store } = under()
      const writer = await store.beginSpill(SESSION, QUOTA)
      for (const chunk of CHUNKS) await writer.write(chunk)
      await writer.finish()
      await writer.drop()
      expect((await store.spillChunk(SESSION, ID, { position: 0 }))?.text).toBe('one\nt')
    })

    it('answer the same when they are finished again', async () => {
      const { store } = under()
      const writer = await store.beginSpill(SESSION, QUOTA)
      for (const chunk of CHUNKS) await writer.write(chunk)
      const first = await writer.finish()
      expect(await writer.finish()).toEqual(first)
      expect((await store.spillChunk(SESSION, ID, { position: 2 }))?.text).toBe('ee')
    })

    it('belong to their Session, also where another has the same text', async () => {
      const { store, other } = under()
      await spill(store)
      expect(await other.spill(OTHER_SESSION, ID)).toBe(undefined)
      expect(await other.spillChunk(OTHER_SESSION, ID, { position: 0 })).toBe(undefined)
      expect(await other.spillChunk(OTHER_TENANT, ID, { position: 0 })).toBe(undefined)
    })

    it('share one text within a tenant, however it was cut into chunks', async () => {
      const { store, other } = under()
      await spill(store)
      expect(await spill(other, ['one\ntwo\nthree'], { key: OTHER_SESSION })).toEqual({
        kind: 'kept',
        spill: { id: ID, bytes: 13, lines: 3 },
      })
      expect((await other.spillChunk(OTHER_SESSION, ID, { position: 0 }))?.text).toBe('one\nt')
      // What was written a second time is deleted already.
      expect(await store.collectSpills({ keptBefore: new Date(0) })).toEqual({ spills: 0, texts: 0 })
    })
  })
  describeQuota(suite)
  describeCollecting(suite)
}

function describeQuota({ describe, it, expect, under }: Suite): void {
  describe("a Session's quota of spills", () => {
    it('refuses what would pass it, while it is written', async () => {
      const { store } = under()
      expect((await spill(store, CHUNKS, { quotaBytes: 13 })).kind).toBe('kept')
      expect(await spill(store, ['four'], { quotaBytes: 16 })).toEqual({ kind: 'over-quota' })
      expect((await spill(store, ['six'], { quotaBytes: 16 })).kind).toBe('kept')
    })

    it('counts spills that were written side by side', async () => {
      const { store, other } = under()
      const [first, second] = [
        await store.beginSpill(SESSION, { quotaBytes: 5 }),
        await other.beginSpill(SESSION, { quotaBytes: 5 }),
      ]
      await first.write('abc')
      await second.write('xyz')
      expect((await first.finish()).kind).toBe('kept')
      expect(await second.finish()).toEqual({ kind: 'over-quota' })
    })

    it("leaves other Sessions' alone", async () => {
      const { store } = under()
      await spill(store, CHUNKS, { quotaBytes: 13 })
      expect((await spill(store, CHUNKS, { key: OTHER_SESSION, quotaBytes: 13 })).kind).toBe('kept')
    })
  })
}

function describeCollecting({ describe, it, expect, under }: Suite): void {
  describe('collecting spills', () => {
    it('removes those that were kept before a time, and their texts', async () => {
      const { store, setTime } = under()
      await spill(store)
      setTime('2026-02-01T00:00:00.000Z')
      const keptBefore = new Date('2026-01-15T00:00:00.000Z')
      expect(await store.collectSpills({ keptBefore })).toEqual({ spills: 1, texts: 1 })
      expect(await store.spill(SESSION, ID)).toBe(undefined)
      expect(await store.collectSpills({ keptBefore })).toEqual({ spills: 0, texts: 0 })
    })

    it('leaves those that were kept again, and texts that another Session has', async () => {
      const { store, setTime } = under()
      await spill(store)
      await spill(store, ['only here'])
      setTime('2026-02-01T00:00:00.000Z')
      await spill(store, CHUNKS, { key: OTHER_SESSION })
      const keptBefore = new Date('2026-01-15T00:00:00.000Z')
      expect(await store.collectSpills({ keptBefore })).toEqual({ spills: 2, texts: 1 })
      expect((await store.spillChunk(OTHER_SESSION, ID, { position: 0 }))?.text).toBe('one\nt')
      expect(await store.spill(SESSION, ID)).toBe(undefined)
    })

    it('removes unfinished ones after a day', async () => {
      const { store, setTime } = under()
      const writer = await store.beginSpill(SESSION, QUOTA)
      await writer.write('one\n')
      const keptBefore = new Date(0)
      setTime('2026-01-01T23:00:00.000Z')
      expect(await store.collectSpills({ keptBefore })).toEqual({ spills: 0, texts: 0 })
      setTime('2026-01-02T01:00:00.000Z')
      expect(await store.collectSpills({ keptBefore })).toEqual({ spills: 0, texts: 1 })
      await expect(writer.write('two')).rejects.toThrow('given up')
    })
  })
}
