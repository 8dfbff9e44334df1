import { describe, expect, it } from 'vitest'
import { addDelta, type LiveMessage, resetLive, settleLive } from '../../../src/console/view/live-message.ts'
import type { LiveDelta } from '../../../src/core/ports.ts'
import { sampleTurn, seal } from '../../core/sample-log.ts'

const piece = (index: number, text: string, attempt = 1): LiveDelta => ({
  turnId: 'u1',
  step: 1,
  attempt,
  index,
  text,
})

const fold = (...deltas: readonly LiveDelta[]): LiveMessage | undefined =>
  deltas.reduce<LiveMessage | undefined>(addDelta, undefined)

describe('the live message', () => {
  it('is the pieces in order', () => {
    const live = fold(piece(0, 'It '), piece(1, 'is '), { ...piece(2, ''), toolCall: 'search' })
    expect(live).toMatchObject({ text: 'It is ', calls: ['search'], attempt: 1 })
  })

  it('takes a piece once, whoever sends it again', () => {
    expect(fold(piece(0, 'a'), piece(1, 'b'), piece(0, 'a'), piece(1, 'b'), piece(2, 'c'))?.text).toBe('abc')
  })

  it('begins anew with another attempt', () => {
    expect(fold(piece(0, 'a'), piece(0, 'x', 2))?.text).toBe('x')
  })

  it('is empty after a reset, and takes the pieces of the attempt that is named', () => {
    const live = addDelta(resetLive({ turnId: 'u1', step: 1, attempt: 2 }), piece(0, 'x', 2))
    expect(live).toMatchObject({ text: 'x', restarted: true })
  })

  it('gives way to its message, and to the end of its Step or Turn, not to those of others', () => {
    const live = fold(piece(0, 'a'))
    const { says, claims, end } = sampleTurn('u1')
    const [message, call, over] = seal([says(1, 'a'), claims(1, 0, 'search'), end('aborted')])
    const [other] = seal([sampleTurn('u2', 2).says(1, 'b')])
    expect(message && settleLive(live, message)).toBeUndefined()
    expect(over && settleLive(live, over)).toBeUndefined()
    expect(call && settleLive(live, call)).toBe(live)
    expect(other && settleLive(live, other)).toBe(live)
  })
})
