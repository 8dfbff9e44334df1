import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addEvents, EMPTY_LOG, lastTurn, settledInputs } from '../../../src/console/view/session-log.ts'
import { refused, sampleTurn, seal, standardEvents, withdrawn } from '../../core/sample-log.ts'

const log = seal([...standardEvents('u1', 1), withdrawn('w1'), ...standardEvents('u2', 2), refused('r1')])

describe('the log of a page', () => {
  it('groups events by Turn, with what was settled between them', () => {
    const { items, seq } = addEvents(EMPTY_LOG, log)
    expect(items.map((item) => (item.kind === 'turn' ? item.turnId : item.event.inputId))).toEqual([
      'u1',
      'w1',
      'u2',
      'r1',
    ])
    expect(seq).toBe(34)
  })

  it('is the same however the events are cut into pieces, and whatever comes twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(log.length)), (cuts) => {
        const pieces = [...cuts, log.length].map((end) => log.slice(0, end))
        const folded = pieces.reduce(addEvents, EMPTY_LOG)
        expect(folded).toEqual(addEvents(EMPTY_LOG, log))
      }),
    )
  })

  it('leaves Turns as they are that an event does not touch', () => {
    const before = addEvents(EMPTY_LOG, log.slice(0, -2))
    const after = addEvents(before, log)
    expect(after.items[0]).toBe(before.items[0])
    expect(after.items[2]).not.toBe(before.items[2])
  })

  it('adds to a Turn what comes late', () => {
    const late = seal([
      ...standardEvents('u1', 1),
      ...standardEvents('u2', 2),
      sampleTurn('u1', 1).lost(3, 1),
    ])
    const { items } = addEvents(EMPTY_LOG, late)
    expect(items).toHaveLength(2)
    expect(items[0]).toMatchObject({ turnId: 'u1', events: { length: 17 } })
  })

  it('tells the newest Turn, and which inputs wait no more', () => {
    const folded = addEvents(EMPTY_LOG, log)
    expect(lastTurn(folded)?.turnId).toBe('u2')
    expect([...settledInputs(folded)]).toEqual(['u1', 'w1', 'u2', 'r1'])
  })
})
