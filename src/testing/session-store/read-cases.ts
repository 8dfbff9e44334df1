/**
 * Reading the log, and finding Sessions.
 */
import {
  assistantMessage,
  inputRefused,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  userMessage,
} from './sample-events.ts'
import { append, SESSION, type Suite } from './store-under-test.ts'

const SECOND_TURN = { turnId: 't2', turn: 2 }
const FIRST = [turnStart(), userMessage('t1'), stepStart(), assistantMessage('hi'), stepEnd(), turnEnd()]
const SECOND = [turnStart(SECOND_TURN), userMessage('t2', SECOND_TURN), stepStart(SECOND_TURN)]

export function describeReading({ describe, it, expect, under }: Suite): void {
  describe('reading', () => {
    it('finds nothing in a Session that does not exist', async () => {
      const { store } = under()
      expect(await store.read(SESSION)).toEqual([])
      expect(await store.head(SESSION)).toEqual({ seq: 0, turns: 0 })
      expect(await store.find(SESSION, 'input:a')).toBe(undefined)
    })

    it('starts after a number and stops at a limit', async () => {
      const { store } = under()
      await append(store, [...FIRST, ...SECOND])
      const events = await store.read(SESSION, { afterSeq: 2, limit: 3 })
      expect(events.map(({ seq }) => seq)).toEqual([3, 4, 5])
      expect(await store.read(SESSION, { limit: 0 })).toEqual([])
    })

    it('picks the events of one Turn', async () => {
      const { store } = under()
      await append(store, [...FIRST, inputRefused('a'), ...SECOND])
      const events = await store.read(SESSION, { turnId: 't2', afterSeq: 8 })
      expect(events.map(({ seq, type }) => [seq, type])).toEqual([
        [9, 'user/message'],
        [10, 'step/start'],
      ])
    })

    it('picks the events of some types', async () => {
      const { store } = under()
      await append(store, [...FIRST, ...SECOND])
      const events = await store.read(SESSION, { types: ['turn/start', 'turn/end'] })
      expect(events.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'turn/start'],
        [6, 'turn/end'],
        [7, 'turn/start'],
      ])
      expect(await store.read(SESSION, { types: [] })).toEqual([])
    })

    it('finds an event by its key', async () => {
      const { store, other } = under()
      await append(store, FIRST)
      expect((await other.find(SESSION, 'turn:t1:step:1:message'))?.seq).toBe(4)
      expect(await other.find(SESSION, 'turn:t1:step:2:message')).toBe(undefined)
    })

    it('lists the Sessions that have an open Turn', async () => {
      const { store, other } = under()
      await append(store, FIRST, { tenant: 'tenant-a', session: 'closed' })
      await append(store, FIRST.slice(0, 3), { tenant: 'tenant-a', session: 'open' })
      await append(store, [...FIRST, ...SECOND], { tenant: 'zeta', session: 'open-again' })
      const open = await other.openTurns()
      expect(open.map(({ key, head }) => [key.tenant, key.session, head.seq, head.open?.turnId])).toEqual([
        ['tenant-a', 'open', 3, 't1'],
        ['zeta', 'open-again', 9, 't2'],
      ])
    })
  })
}

export function describeSessions({ describe, it, expect, under }: Suite): void {
  describe('Sessions', () => {
    it('come back as they were created', async () => {
      const { store, other } = under()
      const record = {
        key: SESSION,
        agent: 'support',
        metadata: { customer: 'Müller', tags: ['a', null, 1] },
      }
      expect(await store.createSession(record)).toEqual(record)
      expect(await other.session(SESSION)).toEqual(record)
    })

    it('are created once: the first record stays', async () => {
      const { store, other } = under()
      await store.createSession({ key: SESSION, agent: 'support' })
      expect(await other.createSession({ key: SESSION, agent: 'sales', metadata: {} })).toEqual({
        key: SESSION,
        agent: 'support',
      })
    })

    it('do not exist before something is written to them', async () => {
      const { store } = under()
      expect(await store.session(SESSION)).toBe(undefined)
      await append(store, [inputRefused('a')])
      expect(await store.session(SESSION)).toEqual({ key: SESSION })
    })

    it('keep their log when they are created after it', async () => {
      const { store } = under()
      await append(store, [inputRefused('a')])
      expect(await store.createSession({ key: SESSION, agent: 'support' })).toEqual({ key: SESSION })
      expect(await store.head(SESSION)).toEqual({ seq: 1, turns: 0 })
    })

    it('are listed by their last change, newest first, within a tenant and a limit', async () => {
      const { store, setTime } = under()
      await store.createSession({ key: { tenant: 'tenant-a', session: 'a' } })
      setTime('2026-01-01T00:00:01.000Z')
      await store.createSession({ key: { tenant: 'tenant-a', session: 'b' } })
      await store.createSession({ key: { tenant: 'zeta', session: 'z' } })
      setTime('2026-01-01T00:00:02.000Z')
      await store.createSession({
        key: { tenant: 'tenant-a', session: 'c' },
        agent: 'support',
        metadata: { n: 1 },
      })
      setTime('2026-01-01T00:00:03.000Z')
      await append(store, [turnStart()], { tenant: 'tenant-a', session: 'a' })
      const listed = await store.sessions({ tenant: 'tenant-a', limit: 2 })
      expect(
        listed.map(({ key, head, changedAt }) => [key.session, head.seq, head.open?.turnId, changedAt]),
      ).toEqual([
        ['a', 1, 't1', '2026-01-01T00:00:03.000Z'],
        ['c', 0, undefined, '2026-01-01T00:00:02.000Z'],
      ])
      expect(listed.map(({ agent, metadata }) => [agent, metadata])).toEqual([
        [undefined, undefined],
        ['support', { n: 1 }],
      ])
    })
  })
}
