import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../src/core/event.ts'
import {
  foldState,
  INITIAL_PHASE,
  isLegalTransition,
  LEGAL_TRANSITIONS,
  movePhase,
  phaseOf,
  waitedOf,
} from '../../src/core/turn-state.ts'
import type { TurnPhase } from '../../src/core/wire.ts'
import { arbitraryOpenTurn } from './arbitrary-log.ts'
import { sampleTurn, standardEvents } from './sample-log.ts'

const turn = sampleTurn('u1')

describe('phaseOf', () => {
  it('follows the standard example', () => {
    expect(standardEvents().map((_, index, events) => phaseOf(events.slice(0, index + 1)))).toEqual([
      'pending',
      'pending',
      'thinking',
      'tool_calling',
      'tool_executing',
      'tool_executing',
      'tool_executing',
      'thinking',
      'tool_calling',
      'tool_executing',
      'tool_executing',
      'tool_executing',
      'thinking',
      'thinking',
      'thinking',
      'finished',
    ])
  })

  it('is pending when there is no Turn', () => {
    expect(phaseOf([])).toBe('pending')
  })

  it('is failed for an error only', () => {
    expect(phaseOf([turn.start(), turn.end('error')])).toBe('failed')
    expect(phaseOf([turn.start(), turn.end('aborted')])).toBe('finished')
  })

  it('begins again with the next Turn', () => {
    expect(phaseOf([...standardEvents(), sampleTurn('u2', 2).start()])).toBe('pending')
  })

  it('is defined for every log that the runtime can write', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), (events) => {
        expect(phaseOf(events)).not.toBe('failed')
      }),
    )
  })
})

describe('foldState', () => {
  it.each<[from: TurnPhase, what: string, event: ReturnType<typeof turn.start>]>([
    ['pending', 'a tool runs', turn.claims(1, 0, 'calculator')],
    ['pending', 'a model asks for tools', turn.asks(1, ['calculator'])],
    ['thinking', 'a tool runs', turn.claims(1, 0, 'calculator')],
    ['thinking', 'a Turn starts', turn.start()],
    ['tool_executing', 'a model asks for tools', turn.asks(1, ['calculator'])],
    ['finished', 'a tool runs', turn.claims(1, 0, 'calculator')],
    ['finished', 'a Step starts', turn.stepStart(4)],
    ['failed', 'the Turn ends again', turn.end('aborted')],
  ])('throws when from %s %s', (from, _, event) => {
    expect(() => foldState({ phase: from, calls: new Map() }, event)).toThrow('Illegal transition of a Turn')
  })
})

describe('movePhase', () => {
  it('names both phases of an illegal transition', () => {
    expect(() => movePhase('finished', 'thinking')).toThrow(
      'Illegal transition of a Turn: finished -> thinking',
    )
  })

  it('lets a call wait for a human, and go on, or not', () => {
    expect(movePhase('tool_calling', 'waiting_human')).toBe('waiting_human')
    expect(movePhase('tool_executing', 'waiting_human')).toBe('waiting_human')
    expect(movePhase('waiting_human', 'tool_executing')).toBe('tool_executing')
    expect(movePhase('waiting_human', 'thinking')).toBe('thinking')
    expect(isLegalTransition('tool_calling', 'pending')).toBe(false)
  })
})

describe('waitedOf', () => {
  const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)).toISOString()
  const log = (...events: readonly (readonly [number, NewEvent])[]) =>
    events.map(([seconds, event]) => ({ ...event, at: at(seconds) }))
  const asked = [
    [0, turn.start()],
    [1, turn.stepStart(1)],
    [2, turn.asks(1, ['send', 'look'])],
    [2, turn.requests(1, 0, 'send')],
    [3, turn.claims(1, 1, 'look')],
    [10, turn.answers(1, 1)],
  ] as const

  it('counts from when every open call waits until one does not', () => {
    const decided = [20, turn.decides(1, 0, 'approve')] as const
    expect(waitedOf(log(...asked))).toEqual({ ms: 0, since: at(10) })
    expect(waitedOf(log(...asked, decided, [25, turn.claims(1, 0, 'send')]))).toEqual({ ms: 10_000 })
  })

  it('counts a held text', () => {
    const held = [
      [0, turn.start()],
      [1, turn.stepStart(1)],
      [2, turn.drafts(1)],
      [3, turn.holds(1)],
      [63, turn.judgesOutput(1, 'pass', { by: 'reviewer' })],
    ] as const
    expect(waitedOf(log(...held))).toEqual({ ms: 60_000 })
  })

  it('is nothing where nobody is waited for', () => {
    expect(waitedOf(log([0, turn.start()], [1, turn.stepStart(1)]))).toEqual({ ms: 0 })
  })
})

describe('LEGAL_TRANSITIONS', () => {
  it('lets every phase be reached from the first and lead to an end', () => {
    const phases = Object.keys(LEGAL_TRANSITIONS) as TurnPhase[]
    const reached = new Set<TurnPhase>([INITIAL_PHASE])
    for (const phase of reached) for (const next of LEGAL_TRANSITIONS[phase]) reached.add(next)
    expect([...reached].sort()).toEqual([...phases].sort())
    expect(phases.filter((phase) => !isLegalTransition(phase, 'failed'))).toEqual(['finished', 'failed'])
  })
})
