import { describe, expect, it } from 'vitest'
import { queueOf } from '../../../src/console/view/queue.ts'

const NONE: ReadonlySet<string> = new Set()

describe('the queue', () => {
  it('has what the workflow knows, those for the next Step first', () => {
    const pending = [
      { id: 'a', lane: 'next-turn', text: 'later' },
      { id: 'b', lane: 'next-step', text: 'soon' },
    ] as const
    expect(queueOf(pending, [], NONE).map(({ id, state }) => [id, state])).toEqual([
      ['b', 'queued'],
      ['a', 'queued'],
    ])
  })

  it('has what this page sent before the workflow tells of it, once', () => {
    const sent = [{ id: 'a', lane: 'next-turn', text: 'mine', state: 'sending' }] as const
    expect(queueOf([], sent, NONE)).toMatchObject([{ id: 'a', text: 'mine', state: 'sending' }])
    const known = [{ id: 'a', lane: 'next-turn', text: '' }] as const
    expect(queueOf(known, sent, NONE)).toEqual([
      { id: 'a', lane: 'next-turn', text: 'mine', state: 'queued' },
    ])
  })

  it('keeps what could not be sent', () => {
    const sent = [{ id: 'a', lane: 'next-turn', text: 'mine', state: 'failed' }] as const
    expect(queueOf([], sent, NONE)).toMatchObject([{ id: 'a', state: 'failed' }])
  })

  it('has nothing whose fate is in the log, whatever an old answer says', () => {
    const pending = [{ id: 'a', lane: 'next-turn', text: 'later' }] as const
    expect(queueOf(pending, [], new Set(['a']))).toEqual([])
  })
})
