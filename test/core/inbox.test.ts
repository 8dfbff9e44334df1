import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  arrivedBy,
  carriedInbox,
  carry,
  EMPTY_INBOX,
  enqueue,
  type Inbox,
  lane,
  settle,
} from '../../src/core/inbox.ts'
import { readInput } from '../../src/core/read-signal.ts'
import type { Lane } from '../../src/core/wire.ts'

const ids = (inbox: Inbox, which: Lane): readonly string[] => lane(inbox, which).map(({ id }) => id)

function received(inbox: Inbox, which: Lane, id: string, content: string = 'hello'): Inbox {
  const read = readInput({ v: 1, id, content })
  if (read.kind !== 'input') throw new Error(`Refused: ${read.reason}`)
  return enqueue(inbox, which, read)
}

describe('the inbox', () => {
  it('keeps both lanes in order of arrival', () => {
    const inbox = [
      ['next-turn', 'f1'],
      ['next-step', 's1'],
      ['next-turn', 'f2'],
      ['next-step', 's2'],
    ].reduce((next, [which, id]) => received(next, which as Lane, id as string), EMPTY_INBOX)
    expect([ids(inbox, 'next-step'), ids(inbox, 'next-turn')]).toEqual([
      ['s1', 's2'],
      ['f1', 'f2'],
    ])
  })

  it('takes an id that waits already for a resend', () => {
    const inbox = received(received(EMPTY_INBOX, 'next-turn', 'a'), 'next-step', 'a')
    expect(inbox.entries).toHaveLength(1)
    expect(inbox.refused).toEqual([])
  })

  it('refuses the 501st input as inbox-full', () => {
    let inbox = EMPTY_INBOX
    for (let count = 1; count <= 501; count += 1) inbox = received(inbox, 'next-turn', `i${count}`)
    expect(inbox.entries).toHaveLength(500)
    expect(inbox.refused).toEqual([{ id: 'i501', reason: 'inbox-full' }])
  })

  it('refuses what would bring it above 512 KiB', () => {
    let inbox = EMPTY_INBOX
    for (let count = 1; count <= 9; count += 1)
      inbox = received(inbox, 'next-turn', `i${count}`, 'x'.repeat(60_000))
    expect(inbox.entries).toHaveLength(8)
    expect(inbox.refused).toEqual([{ id: 'i9', reason: 'inbox-full' }])
  })

  it('lets go only of what an answer says is recorded', () => {
    const inbox = received(
      received(received(EMPTY_INBOX, 'next-step', 'a'), 'next-step', 'b'),
      'next-step',
      'c',
    )
    expect(ids(settle(inbox, { claimed: ['a'], settled: ['c', 'unknown'] }), 'next-step')).toEqual(['b'])
  })

  it('moves a steer for another Turn to the end of the followups, and asks no more for that Turn', () => {
    const read = readInput({ id: 's1', content: 'x', expectedTurnId: 't9', ifStale: 'followup' })
    if (read.kind !== 'input') throw new Error('refused')
    const inbox = received(enqueue(EMPTY_INBOX, 'next-step', read), 'next-turn', 'f1')
    const moved = settle(inbox, { requeued: ['s1'] })
    expect(lane(moved, 'next-turn')).toEqual([
      { id: 'f1', content: 'hello' },
      { id: 's1', content: 'x' },
    ])
  })

  it('counts as before a stop what arrived no later', () => {
    const before = received(EMPTY_INBOX, 'next-turn', 'a')
    const after = received(before, 'next-turn', 'b')
    expect(arrivedBy(after, before.arrivals).map(({ id }) => id)).toEqual(['a'])
  })

  it('loses and doubles nothing over any schedule of arrivals, answers, drops and runs', () => {
    const action = fc.oneof(
      fc.record({
        kind: fc.constant('receive' as const),
        lane: fc.constantFrom<Lane>('next-turn', 'next-step'),
        id: fc.integer({ min: 0, max: 20 }),
      }),
      fc.record({ kind: fc.constant('claim' as const), count: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ kind: fc.constant('drop' as const), id: fc.integer({ min: 0, max: 20 }) }),
      fc.record({ kind: fc.constant('continue' as const) }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        let inbox = EMPTY_INBOX
        const waiting = new Set<string>()
        for (const one of actions) {
          if (one.kind === 'receive') {
            inbox = received(inbox, one.lane, `i${one.id}`)
            waiting.add(`i${one.id}`)
          } else if (one.kind === 'claim') {
            const claimed = ids(inbox, 'next-step').slice(0, one.count)
            inbox = settle(inbox, { claimed })
            for (const id of claimed) waiting.delete(id)
          } else if (one.kind === 'drop') {
            inbox = settle(inbox, { settled: [`i${one.id}`] })
            waiting.delete(`i${one.id}`)
          } else {
            inbox = carriedInbox(carry(inbox))
          }
        }
        const left = inbox.entries.map(({ input }) => input.id)
        expect(left.toSorted()).toEqual([...waiting].toSorted())
      }),
    )
  })
})
