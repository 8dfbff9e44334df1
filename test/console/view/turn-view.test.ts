import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TurnLog } from '../../../src/console/view/session-log.ts'
import { turnViewOf } from '../../../src/console/view/turn-view.ts'
import type { NewEvent } from '../../../src/core/event.ts'
import { sampleTurn, seal, standardEvents } from '../../core/sample-log.ts'

const logOf = (events: readonly NewEvent[]): TurnLog => ({
  kind: 'turn',
  turnId: 'u1',
  turn: 1,
  events: seal(events),
})
const turn = sampleTurn('u1')

describe('the view of a Turn', () => {
  it('is a timeline of Steps with calls and receipts', () => {
    const view = turnViewOf(logOf(standardEvents()))
    expect(view).toMatchObject({
      turn: 1,
      agent: 'default',
      phase: 'finished',
      runId: 'run-1',
      tokens: 45,
      opening: [{ inputId: 'u1', text: 'text of u1', fate: { kind: 'claimed', via: 'followup' } }],
      end: { reason: 'completed' },
    })
    expect(
      view.steps.map(({ step, calls }) => [step, calls.map(({ tool, stage }) => [tool, stage])]),
    ).toEqual([
      [1, [['calculator', 'settled']]],
      [2, [['current_time', 'settled']]],
      [3, []],
    ])
    expect(view.steps[2]).toMatchObject({
      message: { text: 'It is four.' },
      usage: { inputTokens: 10, outputTokens: 5 },
    })
  })

  it('shows a steer in the Step that it joined', () => {
    const view = turnViewOf(logOf([turn.start(), turn.followup(), turn.stepStart(1), turn.steer('s1', 1)]))
    expect(view.opening.map(({ inputId }) => inputId)).toEqual(['u1'])
    expect(view.steps[0]?.steers).toMatchObject([{ inputId: 's1', fate: { kind: 'claimed', via: 'steer' } }])
  })

  it.each([
    [[], 'asked'],
    [[turn.requests(1, 0, 'send')], 'waits-for-approval'],
    [[turn.requests(1, 0, 'send'), turn.decides(1, 0, 'approve')], 'approved'],
    [[turn.claims(1, 0, 'send')], 'running'],
    [[turn.claims(1, 0, 'send', { expiresAt: '2025-01-02T00:00:00.000Z' })], 'waits-for-client'],
    [[turn.requests(1, 0, 'send'), turn.answers(1, 0, 'denied')], 'settled'],
  ] as const)('tells what a call waits for (%#)', (events, stage) => {
    const view = turnViewOf(logOf([turn.start(), turn.stepStart(1), turn.asks(1, ['send']), ...events]))
    expect(view.steps[0]?.calls[0]?.stage).toBe(stage)
  })

  it('follows the run that a Turn goes on in', () => {
    expect(turnViewOf(logOf([turn.start(), turn.continued('run-2')])).runId).toBe('run-2')
  })

  it('says what a guardrail did to an input', () => {
    const events = [turn.start(), turn.followup(), turn.judgesInput('u1', 'block')]
    expect(turnViewOf(logOf(events)).opening[0]?.judged).toBe('Blocked by guardrail guard: Not this.')
  })

  it('counts attempts that were lost, and notes them', () => {
    const events = [turn.start(), turn.stepStart(1), turn.lost(1, 1), turn.says(1, 'Hi.')]
    const view = turnViewOf(logOf(events))
    expect(view.tokens).toBe(18)
    expect(view.steps[0]?.notes).toMatchObject([
      { text: 'Model attempt 1 was lost: the provider failed.', tone: 'warning' },
    ])
  })

  it('can be drawn at every point of a log, and leaves out what it does not know', () => {
    const unknown = { ...turn.stepEnd(1), type: 'context/dreamed' } as unknown as NewEvent
    const events = [...standardEvents(), unknown]
    fc.assert(
      fc.property(fc.nat(events.length), (length) => {
        expect(turnViewOf(logOf(events.slice(0, length))).turnId).toBe('u1')
      }),
    )
  })
})
