/**
 * Content by digest, the store's secret, being told of changes, and closing.
 */
import type { SessionStore } from '../../core/ports.ts'
import { inputRefused } from './sample-events.ts'
import { append, SESSION, type Suite } from './store-under-test.ts'

export function describeContents({ describe, it, expect, under }: Suite): void {
  describe('content', () => {
    it('is kept under the SHA-256 of its UTF-8', async () => {
      const { store, other } = under()
      const digest = await store.putContent('default', 'Grüße')
      expect(digest).toBe('f83e039796c6453a10f5519e39fd113901572316a1a8ea07cb525d2801dfd074')
      expect(await other.getContent('default', digest)).toBe('Grüße')
    })

    it('comes back whole, empty or with NUL and line breaks', async () => {
      const { store } = under()
      const empty = await store.putContent('default', '')
      const odd = await store.putContent('default', 'a\u0000b\r\nc\u2028"\\')
      expect(await store.getContent('default', empty)).toBe('')
      expect(await store.getContent('default', odd)).toBe('a\u0000b\r\nc\u2028"\\')
    })

    it('may be put twice', async () => {
      const { store, other } = under()
      const first = await store.putContent('default', 'again')
      expect(await other.putContent('default', 'again')).toBe(first)
    })

    it('belongs to its tenant', async () => {
      const { store } = under()
      const digest = await store.putContent('one', 'mine')
      expect(await store.getContent('two', digest)).toBe(undefined)
    })

    it('replaces lone surrogates, which UTF-8 cannot hold', async () => {
      const { store } = under()
      const digest = await store.putContent('default', 'a\ud800b')
      expect(await store.putContent('default', 'a\ufffdb')).toBe(digest)
      expect(await store.getContent('default', digest)).toBe('a\ufffdb')
    })
  })
}

export function describeSecret({ describe, it, expect, under }: Suite): void {
  describe('the secret', () => {
    it('is 256 bits, and the same for everyone who asks', async () => {
      const { store, other } = under()
      const asked = await Promise.all([store.secret(), other.secret(), store.secret()])
      expect(/^[0-9a-f]{64}$/.test(asked[0])).toBe(true)
      expect(new Set([...asked, await other.secret()]).size).toBe(1)
    })
  })
}

/** Settles when the store next tells of a change; the runner's time limit is the bound. */
function nextChange(store: SessionStore): Promise<void> {
  return new Promise((resolve) => {
    const end = store.watch(() => {
      end()
      resolve()
    })
  })
}

export function describeWatching({ describe, it, expect, under }: Suite): void {
  describe('watching', () => {
    it('tells of a commit through another connection', async () => {
      const { store, other } = under()
      const change = nextChange(store)
      await append(other, [inputRefused('a')])
      await change
      expect((await store.read(SESSION)).length).toBe(1)
    })

    it("tells of the store's own commits", async () => {
      const { store } = under()
      const change = nextChange(store)
      await append(store, [inputRefused('a')])
      await change
      expect((await store.read(SESSION)).length).toBe(1)
    })

    it('tells of live text', async () => {
      const { store, other } = under()
      const change = nextChange(store)
      await other.appendLive(SESSION, [{ turnId: 't1', step: 1, attempt: 1, index: 0, text: 'hi' }])
      await change
      expect((await store.readLive(SESSION)).length).toBe(1)
    })

    it('tells every listener, and goes on telling those that stay', async () => {
      const { store, other } = under()
      const changes = [nextChange(store), nextChange(store)]
      await append(other, [inputRefused('a')])
      await Promise.all(changes)
      const next = nextChange(store)
      await append(other, [inputRefused('b')])
      await next
      expect((await store.read(SESSION)).length).toBe(2)
    })

    it('tells nobody who has left', async () => {
      const { store, other } = under()
      const told: string[] = []
      const leave = store.watch(() => told.push('the one who left'))
      leave()
      leave()
      const change = nextChange(store)
      await append(other, [inputRefused('a')])
      await change
      expect(told).toEqual([])
    })
  })
}

export function describeClosing({ describe, it, expect, under }: Suite): void {
  describe('closing', () => {
    it('makes later calls fail as unavailable, and leaves other connections alone', async () => {
      const { store, other } = under()
      await store.close()
      await store.close()
      await expect(store.head(SESSION)).rejects.toMatchObject({ code: 'store-unavailable' })
      await expect(append(store, [inputRefused('a')])).rejects.toMatchObject({ code: 'store-unavailable' })
      expect((await append(other, [inputRefused('a')])).kind).toBe('committed')
    })

    it('waits for commits that are under way', async () => {
      const { store, other } = under()
      const committing = append(store, [inputRefused('a')])
      await store.close()
      expect((await committing).kind).toBe('committed')
      expect((await other.read(SESSION)).length).toBe(1)
    })
  })
}
