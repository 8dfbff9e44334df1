/**
 * What a commit's decision sees, and what becomes of its answer.
 */
import { inputRefused, stepStart, turnStart, userMessage } from './sample-events.ts'
import { append, SESSION, type Suite } from './store-under-test.ts'

export function describeDeciding({ describe, it, expect, under }: Suite): void {
  describe('deciding', () => {
    it('sees an empty head in a Session that does not exist', async () => {
      const { store } = under()
      const result = await store.commit(SESSION, {
        keys: [],
        decide: (view) => ({ append: [], answer: [view.head, view.attempts] }),
      })
      expect(result.kind === 'committed' && result.answer).toEqual([{ seq: 0, turns: 0 }, undefined])
    })

    it('sees the head with the open Turn and Step', async () => {
      const { store, other } = under()
      await append(store, [turnStart(), userMessage('t1'), stepStart()])
      const result = await other.commit(SESSION, {
        keys: [],
        decide: (view) => ({ append: [], answer: view.head }),
      })
      expect(result.kind === 'committed' && result.answer).toEqual({
        seq: 3,
        turns: 1,
        open: {
          turnId: 't1',
          turn: 1,
          agent: 'assistant',
          agentDigest: 'digest',
          runId: 'run',
          firstExecutionRunId: 'first-run',
          step: 1,
          isStepOpen: true,
        },
      })
    })

    it('sees the events under the keys that it named', async () => {
      const { store, other } = under()
      await append(store, [inputRefused('a')])
      const result = await other.commit(SESSION, {
        keys: ['input:a', 'input:b', 'input:a'],
        decide: (view) => ({ append: [], answer: [view.existing('input:a')?.seq, view.existing('input:b')] }),
      })
      expect(result.kind === 'committed' && result.answer).toEqual([1, undefined])
    })

    it('sees all of many keys', async () => {
      const { store } = under()
      const ids = Array.from({ length: 150 }, (_, index) => `i${index}`)
      const keys = ids.map((id) => `input:${id}`)
      await append(store, ids.map(inputRefused))
      const result = await store.commit(SESSION, {
        keys,
        decide: (view) => ({ append: [], answer: keys.map((key) => view.existing(key)?.seq) }),
      })
      expect(result.kind === 'committed' && result.answer).toEqual(ids.map((_, index) => index + 1))
    })

    it('fails if it looks at a key that it did not name', async () => {
      const { store } = under()
      const looking = store.commit(SESSION, {
        keys: ['input:a'],
        decide: (view) => ({ append: [], answer: view.existing('input:b') }),
      })
      await expect(looking).rejects.toThrow('input:b')
    })

    it('may append a key that it did not name, which is appended once all the same', async () => {
      const { store, other } = under()
      await append(store, [inputRefused('a')])
      const result = await other.commit(SESSION, {
        keys: ['input:b'],
        decide: () => ({ append: [inputRefused('a'), inputRefused('b')], answer: 'done' }),
      })
      expect(
        result.kind === 'committed' && [result.answer, result.appended, result.events.map(({ seq }) => seq)],
      ).toEqual(['done', 1, [1, 2]])
    })

    it('may append nothing, and then nothing changes', async () => {
      const { store } = under()
      await append(store, [])
      expect(await store.head(SESSION)).toEqual({ seq: 0, turns: 0 })
      expect(await store.session(SESSION)).toBe(undefined)
    })

    it('may throw, and then nothing is written and the next commit works', async () => {
      const { store } = under()
      const broken = store.commit(SESSION, {
        keys: [],
        beginAttempt: 'unit',
        decide: () => {
          throw new Error('a bug in the decision')
        },
      })
      await expect(broken).rejects.toThrow('a bug in the decision')
      expect(await store.session(SESSION)).toBe(undefined)
      const next = await append(store, [inputRefused('a')])
      expect(next.kind === 'committed' && next.head).toEqual({ seq: 1, turns: 0 })
    })
  })
}
