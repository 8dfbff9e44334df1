import { describe, expect, it } from 'vitest'
import { costOfTurn } from '../../src/core/turn-cost.ts'
import { sampleTurn, standardEvents } from './sample-log.ts'

const turn = sampleTurn('u1')
const PRICE = { inputUsdPerMillion: 1, outputUsdPerMillion: 3 }
const REPORTED = { inputTokens: 30, outputTokens: 10 }
const ESTIMATED = { inputTokens: 30, outputTokens: 10, estimated: true } as const

describe('costOfTurn', () => {
  it('lists the Steps, with the attempts that were lost, and how much of it the provider reported (B62)', () => {
    const events = [
      turn.start(),
      turn.followup(),
      turn.stepStart(1),
      turn.asks(1, ['x'], { usage: REPORTED }),
      turn.answers(1, 0, 'unknown-tool'),
      turn.stepEnd(1),
      turn.stepStart(2),
      turn.lost(2, 1, { usage: ESTIMATED }),
      turn.says(2, 'Done.', { usage: REPORTED }),
      turn.stepEnd(2),
    ]
    expect(costOfTurn(events, 'u1', PRICE)).toEqual({
      turnId: 'u1',
      usage: { inputTokens: 90, outputTokens: 30, estimated: true },
      cost: 180,
      attemptsLost: 1,
      coverage: 80 / 120,
      steps: [
        { step: 1, usage: REPORTED, cost: 60, attemptsLost: 0, coverage: 1 },
        {
          step: 2,
          usage: { inputTokens: 60, outputTokens: 20, estimated: true },
          cost: 120,
          attemptsLost: 1,
          coverage: 0.5,
        },
      ],
    })
  })

  it('covers nothing when the provider reported nothing (B62)', () => {
    const events = [turn.start(), turn.stepStart(1), turn.says(1, 'Hm.', { usage: ESTIMATED })]
    expect(costOfTurn(events, 'u1')).toMatchObject({ cost: null, coverage: 0 })
  })

  it('keeps to the Turn that it is asked for', () => {
    const events = [...standardEvents(), ...standardEvents('u2', 2)]
    expect(costOfTurn(events, 'u2')).toMatchObject({ usage: { inputTokens: 30, outputTokens: 15 } })
    expect(costOfTurn(events, 'u3')).toEqual({
      turnId: 'u3',
      usage: { inputTokens: 0, outputTokens: 0 },
      cost: null,
      attemptsLost: 0,
      coverage: 1,
      steps: [],
    })
  })
})
