import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../src/core/event.ts'
import { advanceHead, EMPTY_HEAD, type LogHead } from '../../src/core/log-head.ts'
import { sampleTurn, standardEvents, usageOf } from './sample-log.ts'

const turn = sampleTurn('u1')

/** The head after these events, none of which may be refused. */
function headAfter(events: readonly EventBody[]): LogHead {
  return events.reduce<LogHead>((head, event) => {
    const advance = advanceHead(head, event)
    if (advance.kind === 'refused') throw new Error(`${event.type}: ${advance.refusal}`)
    return advance.head
  }, EMPTY_HEAD)
}

describe('what a Session remembers of its spending', () => {
  it('is the sum of the Turns that have ended', () => {
    const first = [...standardEvents().slice(0, 15), turn.end('completed', { usage: usageOf(3), cost: 70 })]
    const events = [...first, ...standardEvents('u2', 2).slice(0, 15)]
    expect(headAfter(events).memory).toEqual({ tokens: 45, costMicroUsd: 70 })
    const second = sampleTurn('u2', 2).end('completed', { usage: usageOf(3), cost: 5 })
    expect(headAfter([...events, second]).memory).toEqual({ tokens: 90, costMicroUsd: 75 })
  })

  it('counts an attempt that is noted as lost after its Turn, and one within it only with the Turn', () => {
    const open = [turn.start(), turn.followup(), turn.stepStart(1), turn.lost(1, 1)]
    expect(headAfter(open).memory).toBeUndefined()
    const usage = { inputTokens: 3, outputTokens: 0, estimated: true } as const
    const ended = [...open, turn.stepEnd(1), turn.end('error', { usage, cost: 9 })]
    expect(headAfter(ended).memory).toEqual({ tokens: 3, costMicroUsd: 9 })
    expect(headAfter([...ended, turn.lost(1, 2, { cost: 4 })]).memory).toEqual({
      tokens: 6,
      costMicroUsd: 13,
    })
  })
})
