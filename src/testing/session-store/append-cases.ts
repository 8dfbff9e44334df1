/**
 * How a store appends: numbers, keys, and events that come back as they were.
 */
import {
  assistantMessage,
  inputRefused,
  stepStart,
  toolResult,
  turnStart,
  userMessage,
} from './sample-events.ts'
import { append, SESSION, type Suite } from './store-under-test.ts'

export function describeAppending({ describe, it, expect, under }: Suite): void {
  describe('appending', () => {
    it('numbers events from 1 without gaps', async () => {
      const { store } = under()
      await append(store, [turnStart(), userMessage('t1')])
      await append(store, [stepStart()])
      const events = await store.read(SESSION)
      expect(events.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'turn/start'],
        [2, 'user/message'],
        [3, 'step/start'],
      ])
    })

    it('returns each event with its number, the time of the commit and the payload version', async () => {
      const { store } = under()
      const result = await append(store, [inputRefused('a')])
      expect(result).toEqual({
        kind: 'committed',
        answer: undefined,
        appended: 1,
        head: { seq: 1, turns: 0 },
        events: [
          {
            seq: 1,
            at: '2026-01-01T00:00:00.000Z',
            v: 1,
            key: 'input:a',
            type: 'input/refused',
            turnId: null,
            turn: null,
            inputId: 'a',
            reason: 'inbox-full',
          },
        ],
      })
    })

    it('reads back what the commit returned', async () => {
      const { store, other } = under()
      const result = await append(store, [turnStart(), userMessage('t1'), stepStart()])
      expect(result.kind === 'committed' && result.events).toEqual(await other.read(SESSION))
    })

    it('keeps every character of a body, NUL and lone surrogates included', async () => {
      const { store, other } = under()
      const text = 'a"\\/\n\t é 漢字 👩‍👩‍👧 \u0000 \u2028 \ud800 \udfff z'
      await append(store, [turnStart(), stepStart(), assistantMessage(text), toolResult(0, text)])
      const [message, receipt] = await other.read(SESSION, { afterSeq: 2 })
      expect(message?.type === 'assistant/message' && message.text).toBe(text)
      expect(receipt?.type === 'tool/result' && receipt.content).toBe(text)
    })

    it('goes on after an event whose key is not well-formed text', async () => {
      const { store } = under()
      await append(store, [{ ...inputRefused('a'), key: 'input:\ud800\u0000' }])
      const again = await append(store, [
        { ...inputRefused('a'), key: 'input:\ud800\u0000' },
        inputRefused('b'),
      ])
      expect(again.kind === 'committed' && [again.appended, again.head]).toEqual([1, { seq: 2, turns: 0 }])
    })

    it('appends a key once and returns the event that is there', async () => {
      const { store, other } = under()
      await append(store, [inputRefused('a')])
      const again = await append(other, [{ ...inputRefused('a'), reason: 'too-large' }])
      expect(again.kind === 'committed' && again.appended).toBe(0)
      expect(
        again.kind === 'committed' && again.events[0]?.type === 'input/refused' && again.events[0].reason,
      ).toBe('inbox-full')
      expect((await store.read(SESSION)).length).toBe(1)
    })

    it('appends the new events of a commit beside those that exist, and answers in the order asked', async () => {
      const { store } = under()
      await append(store, [inputRefused('a'), inputRefused('b')])
      const result = await append(store, [
        inputRefused('c'),
        inputRefused('b'),
        inputRefused('d'),
        inputRefused('a'),
      ])
      expect(result.kind === 'committed' && result.appended).toBe(2)
      expect(result.kind === 'committed' && result.events.map(({ seq, key }) => [seq, key])).toEqual([
        [3, 'input:c'],
        [2, 'input:b'],
        [4, 'input:d'],
        [1, 'input:a'],
      ])
    })

    it('appends the first of two events with one key', async () => {
      const { store } = under()
      const result = await append(store, [inputRefused('a'), { ...inputRefused('a'), reason: 'too-large' }])
      expect(
        result.kind === 'committed' && result.events.map((event) => 'reason' in event && event.reason),
      ).toEqual(['inbox-full', 'inbox-full'])
      expect(result.kind === 'committed' && result.appended).toBe(1)
    })

    it('appends hundreds of events in one commit, in order', async () => {
      const { store, other } = under()
      const ids = Array.from({ length: 300 }, (_, index) => `i${index}`)
      await append(store, ids.map(inputRefused))
      const events = await other.read(SESSION)
      expect(events.map(({ seq, key }) => `${seq} ${key}`)).toEqual(
        ids.map((id, index) => `${index + 1} input:${id}`),
      )
    })

    it('keeps the same session id of two tenants apart', async () => {
      const { store } = under()
      await append(store, [inputRefused('a')], { tenant: 'one', session: 's' })
      await append(store, [inputRefused('a')], { tenant: 'two', session: 's' })
      expect((await store.read({ tenant: 'one', session: 's' })).length).toBe(1)
      expect((await store.find({ tenant: 'two', session: 's' }, 'input:a'))?.seq).toBe(1)
      expect(await store.find({ tenant: 'three', session: 's' }, 'input:a')).toBe(undefined)
    })

    it('numbers without gaps while two connections append at once', async () => {
      const { store, other } = under()
      const ids = Array.from({ length: 40 }, (_, index) => `i${index}`)
      await Promise.all([
        ...ids.map((id) => append(store, [inputRefused(`left-${id}`), inputRefused(`right-${id}`)])),
        ...ids.map((id) => append(other, [inputRefused(`right-${id}`), inputRefused(`left-${id}`)])),
      ])
      const events = await store.read(SESSION)
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1))
      expect(new Set(events.map(({ key }) => key)).size).toBe(80)
      expect(await other.head(SESSION)).toEqual({ seq: 80, turns: 0 })
    })
  })
}
