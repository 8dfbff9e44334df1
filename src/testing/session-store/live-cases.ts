/**
 * Live text: the newest attempt of the newest Step, and nothing that is over.
 */
import type { LiveDelta } from '../../core/ports.ts'
import { assistantMessage, stepEnd, stepStart, turnEnd, turnStart } from './sample-events.ts'
import { append, SESSION, type Suite } from './store-under-test.ts'

function text(step: number, attempt: number, index: number, turnId = 't1'): LiveDelta {
  return { turnId, step, attempt, index, text: `${turnId} ${step}.${attempt}.${index}` }
}

export function describeLiveText({ describe, it, expect, under }: Suite): void {
  describe('live text', () => {
    it('comes back in order, as it was', async () => {
      const { store, other } = under()
      const deltas: readonly LiveDelta[] = [
        { turnId: 't1', step: 1, attempt: 1, index: 0, reasoning: 'hm \u0000\ud800' },
        { turnId: 't1', step: 1, attempt: 1, index: 1, text: 'Grüße 👋' },
        { turnId: 't1', step: 1, attempt: 1, index: 2, toolCall: 'look' },
      ]
      await store.appendLive(SESSION, deltas.slice(0, 2))
      await store.appendLive(SESSION, deltas.slice(2))
      expect(await other.readLive(SESSION)).toEqual(deltas)
    })

    it('is kept whole when hundreds of pieces come at once', async () => {
      const { store, other } = under()
      const deltas = Array.from({ length: 200 }, (_, index) => text(1, 1, index))
      await store.appendLive(SESSION, deltas)
      expect(await other.readLive(SESSION)).toEqual(deltas)
    })

    it('is none in a Session that does not exist', async () => {
      const { store } = under()
      await store.appendLive(SESSION, [])
      expect(await store.readLive(SESSION)).toEqual([])
    })

    it('is read after a position of the same attempt', async () => {
      const { store } = under()
      await store.appendLive(SESSION, [text(1, 1, 0), text(1, 1, 1), text(1, 1, 2)])
      expect(await store.readLive(SESSION, { turnId: 't1', step: 1, attempt: 1, index: 1 })).toEqual([
        text(1, 1, 2),
      ])
      expect(await store.readLive(SESSION, { turnId: 't1', step: 1, attempt: 1, index: 2 })).toEqual([])
    })

    it('is read from its start after a position of another attempt or Step', async () => {
      const { store } = under()
      await store.appendLive(SESSION, [text(2, 2, 0), text(2, 2, 1)])
      expect(await store.readLive(SESSION, { turnId: 't1', step: 2, attempt: 1, index: 7 })).toEqual([
        text(2, 2, 0),
        text(2, 2, 1),
      ])
      expect((await store.readLive(SESSION, { turnId: 't1', step: 1, attempt: 2, index: 7 })).length).toBe(2)
    })

    it('of an older attempt is dropped when a newer one speaks', async () => {
      const { store, other } = under()
      await store.appendLive(SESSION, [text(1, 1, 0), text(1, 1, 1)])
      await other.appendLive(SESSION, [text(1, 2, 0)])
      expect(await store.readLive(SESSION)).toEqual([text(1, 2, 0)])
    })

    it('of an older attempt is ignored once a newer one has spoken', async () => {
      const { store, other } = under()
      await store.appendLive(SESSION, [text(1, 2, 0)])
      await other.appendLive(SESSION, [text(1, 1, 0), text(1, 1, 1)])
      expect(await store.readLive(SESSION)).toEqual([text(1, 2, 0)])
      await store.clearLive(SESSION, { turnId: 't1', step: 1 })
      expect(await store.readLive(SESSION)).toEqual([])
    })

    it('of an older Step gives way to that of a newer one', async () => {
      const { store } = under()
      await store.appendLive(SESSION, [text(1, 3, 0)])
      await store.appendLive(SESSION, [text(2, 1, 0)])
      expect(await store.readLive(SESSION)).toEqual([text(2, 1, 0)])
    })

    it('of two attempts in one call is that of the newer', async () => {
      const { store } = under()
      await store.appendLive(SESSION, [text(1, 1, 0), text(1, 2, 0), text(1, 1, 1)])
      expect(await store.readLive(SESSION)).toEqual([text(1, 2, 0)])
    })

    it('that comes twice is there once', async () => {
      const { store } = under()
      await store.appendLive(SESSION, [text(1, 1, 0), text(1, 1, 1)])
      await store.appendLive(SESSION, [text(1, 1, 1), text(1, 1, 2)])
      expect(await store.readLive(SESSION)).toEqual([text(1, 1, 0), text(1, 1, 1), text(1, 1, 2)])
    })

    it('is gone once its Step is cleared, that of other Sessions stays', async () => {
      const { store, other } = under()
      const neighbour = { tenant: 'default', session: 'neighbour' }
      await store.appendLive(SESSION, [text(1, 1, 0)])
      await store.appendLive(neighbour, [text(1, 1, 0)])
      await other.clearLive(SESSION, { turnId: 't1', step: 1 })
      expect(await store.readLive(SESSION)).toEqual([])
      expect(await store.readLive(neighbour)).toEqual([text(1, 1, 0)])
    })

    it('stays when an older Step is cleared', async () => {
      const { store } = under()
      await store.appendLive(SESSION, [text(2, 1, 0)])
      await store.clearLive(SESSION, { turnId: 't1', step: 1 })
      expect(await store.readLive(SESSION)).toEqual([text(2, 1, 0)])
    })

    it('of the open Step is kept, that of a Step which the log has closed is not', async () => {
      const { store, other } = under()
      await append(store, [turnStart(), stepStart()])
      await store.appendLive(SESSION, [text(1, 1, 0)])
      expect(await store.readLive(SESSION)).toEqual([text(1, 1, 0)])
      await append(store, [assistantMessage('done'), stepEnd()])
      await store.clearLive(SESSION, { turnId: 't1', step: 1 })
      await other.appendLive(SESSION, [text(1, 1, 1)])
      expect(await store.readLive(SESSION)).toEqual([])
    })

    it('of a Turn that is over does not displace that of the open one', async () => {
      const { store, other } = under()
      const second = { turnId: 't2', turn: 2 }
      await append(store, [turnStart(), turnEnd(), turnStart(second), stepStart(second)])
      await store.appendLive(SESSION, [text(1, 1, 0, 't2')])
      await other.appendLive(SESSION, [text(4, 1, 0, 't1')])
      expect(await store.readLive(SESSION)).toEqual([text(1, 1, 0, 't2')])
    })

    it('left behind by an earlier Turn gives way to that of the open one', async () => {
      const { store } = under()
      const second = { turnId: 't2', turn: 2 }
      await append(store, [turnStart(), stepStart()])
      await store.appendLive(SESSION, [text(1, 1, 0, 't1')])
      await append(store, [stepEnd(), turnEnd(), turnStart(second), stepStart(second)])
      await store.appendLive(SESSION, [text(1, 1, 0, 't2')])
      expect(await store.readLive(SESSION)).toEqual([text(1, 1, 0, 't2')])
    })
  })
}
