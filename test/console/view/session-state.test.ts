import { describe, expect, it } from 'vitest'
import { readStreamMessage } from '../../../src/console/view/read-stream-message.ts'
import {
  changeSession,
  INITIAL_SESSION,
  type SessionChange,
} from '../../../src/console/view/session-state.ts'
import type { LiveDelta } from '../../../src/core/ports.ts'
import { sampleTurn, seal } from '../../core/sample-log.ts'

const fold = (...changes: readonly SessionChange[]) => changes.reduce(changeSession, INITIAL_SESSION)
const deltas = (...pieces: readonly [number, string][]): SessionChange => ({
  kind: 'items',
  items: pieces.map(([index, text]) => ({
    kind: 'delta',
    delta: { turnId: 'u1', step: 1, attempt: 1, index, text } satisfies LiveDelta,
  })),
})
const events = (...made: Parameters<typeof seal>[0]): SessionChange => ({
  kind: 'items',
  items: seal(made).map((event) => ({ kind: 'event', event })),
})
const open: SessionChange = { kind: 'connection', connection: { kind: 'open' } }

describe('what a page knows', () => {
  it('shows the live text once after a reconnection', () => {
    const before = fold(open, deltas([0, 'It '], [1, 'is']), open)
    expect(before.live?.text).toBe('It is')
    expect(changeSession(before, deltas([0, 'It '], [1, 'is'], [2, ' four'])).live?.text).toBe('It is four')
    expect(changeSession(before, deltas([1, 'It is'])).live?.text).toBe('It is')
  })

  it('forgets what it sent once the log has its fate', () => {
    const sent: SessionChange = {
      kind: 'sent',
      input: { id: 'u1', lane: 'next-turn', text: 'Hi', state: 'sent' },
    }
    const turn = sampleTurn('u1')
    expect(fold(sent, events(turn.start(), turn.followup())).sent).toEqual([])
    expect(fold(sent).sent).toHaveLength(1)
  })

  it('goes on after the last event', () => {
    const turn = sampleTurn('u1')
    expect(fold(events(turn.start(), turn.followup(), turn.stepStart(1))).log.seq).toBe(3)
  })
})

describe('readStreamMessage', () => {
  it('tells events, live text, resets and changes of status apart', () => {
    expect(readStreamMessage({ event: 'status', data: '{"phase":"idle"}' })).toBe('status')
    expect(readStreamMessage({ event: 'delta', data: '{"text":"a"}' })).toEqual({
      kind: 'delta',
      delta: { text: 'a' },
    })
    expect(readStreamMessage({ event: 'reset', data: '{"attempt":2}' })).toEqual({
      kind: 'reset',
      reset: { attempt: 2 },
    })
    expect(readStreamMessage({ event: 'turn/end', data: '{"type":"turn/end","seq":4}' })).toEqual({
      kind: 'event',
      event: { type: 'turn/end', seq: 4 },
    })
  })

  it('passes over what it cannot read', () => {
    expect(readStreamMessage({ event: 'message', data: 'not json' })).toBeUndefined()
    expect(readStreamMessage({ event: 'later', data: '{"new":true}' })).toBeUndefined()
  })
})
