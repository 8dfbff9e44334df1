/**
 * The bookkeeping of attempts.
 */

import { inputRefused } from './sample-events.ts'
import { append, beginAttempt, SESSION, type Suite } from './store-under-test.ts'

export function describeAttempts({ describe, it, expect, under }: Suite): void {
  describe('attempts', () => {
    it('are numbered from 1 for each unit', async () => {
      const { store, other } = under()
      expect(await beginAttempt(store, 'one')).toEqual({ number: 1, provider: 0, tool: 0, lost: 0 })
      expect(await beginAttempt(other, 'two')).toEqual({ number: 1, provider: 0, tool: 0, lost: 0 })
    })

    it('are answered by the commit that begins them', async () => {
      const { store } = under()
      const result = await store.commit(SESSION, {
        keys: [],
        beginAttempt: 'unit',
        decide: () => ({ append: [inputRefused('a')], answer: undefined }),
      })
      expect(result.kind === 'committed' && result.attempts).toEqual({
        number: 1,
        provider: 0,
        tool: 0,
        lost: 0,
      })
    })

    it('count as lost when the next begins and no end was recorded', async () => {
      const { store } = under()
      await beginAttempt(store, 'unit')
      expect(await beginAttempt(store, 'unit')).toEqual({ number: 2, provider: 0, tool: 0, lost: 1 })
      expect(await beginAttempt(store, 'unit')).toEqual({ number: 3, provider: 0, tool: 0, lost: 2 })
    })

    it('are counted by how they ended', async () => {
      const { store, other } = under()
      await beginAttempt(store, 'unit')
      expect(await other.endAttempt(SESSION, 'unit', { number: 1, outcome: 'provider' })).toEqual({
        number: 1,
        provider: 1,
        tool: 0,
        lost: 0,
      })
      await beginAttempt(store, 'unit')
      await other.endAttempt(SESSION, 'unit', { number: 2, outcome: 'tool' })
      expect(await beginAttempt(store, 'unit')).toEqual({ number: 3, provider: 1, tool: 1, lost: 0 })
    })

    it('that were interrupted or done count for nothing, and are not lost', async () => {
      const { store } = under()
      await beginAttempt(store, 'unit')
      await store.endAttempt(SESSION, 'unit', { number: 1, outcome: 'interrupted' })
      await beginAttempt(store, 'unit')
      await store.endAttempt(SESSION, 'unit', { number: 2, outcome: 'done' })
      expect(await beginAttempt(store, 'unit')).toEqual({ number: 3, provider: 0, tool: 0, lost: 0 })
    })

    it('end once, the first outcome stands', async () => {
      const { store } = under()
      await beginAttempt(store, 'unit')
      await store.endAttempt(SESSION, 'unit', { number: 1, outcome: 'provider' })
      await store.endAttempt(SESSION, 'unit', { number: 1, outcome: 'provider' })
      expect(await store.endAttempt(SESSION, 'unit', { number: 1, outcome: 'tool' })).toEqual({
        number: 1,
        provider: 1,
        tool: 0,
        lost: 0,
      })
    })

    it('that were counted as lost do not count again when their end comes late', async () => {
      const { store } = under()
      await beginAttempt(store, 'unit')
      await beginAttempt(store, 'unit')
      expect(await store.endAttempt(SESSION, 'unit', { number: 1, outcome: 'provider' })).toEqual({
        number: 2,
        provider: 0,
        tool: 0,
        lost: 1,
      })
      await store.endAttempt(SESSION, 'unit', { number: 2, outcome: 'provider' })
      expect(await beginAttempt(store, 'unit')).toEqual({ number: 3, provider: 1, tool: 0, lost: 1 })
    })

    it('that never began leave nothing when they end', async () => {
      const { store } = under()
      expect(await store.endAttempt(SESSION, 'unit', { number: 1, outcome: 'tool' })).toEqual({
        number: 0,
        provider: 0,
        tool: 0,
        lost: 0,
      })
      expect(await beginAttempt(store, 'unit')).toEqual({ number: 1, provider: 0, tool: 0, lost: 0 })
    })

    it('change neither the head nor the log', async () => {
      const { store } = under()
      await append(store, [inputRefused('a')])
      await beginAttempt(store, 'unit')
      expect(await store.head(SESSION)).toEqual({ seq: 1, turns: 0 })
    })
  })
}
