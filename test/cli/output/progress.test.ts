import { beforeEach, describe, expect, it } from 'vitest'
import { Progress } from '../../../src/cli/output/progress.ts'
import type { NewEvent } from '../../../src/core/event.ts'
import { sampleTurn, seal } from '../../core/sample-log.ts'

describe('Progress', () => {
  let progress: Progress
  const turn = sampleTurn('t')

  beforeEach(() => {
    progress = new Progress()
  })

  function take(now: number, ...events: readonly NewEvent[]): void {
    for (const event of seal(events)) progress.take({ kind: 'event', event }, now)
  }

  it('says nothing while no turn is open, nor at once', () => {
    expect(progress.text(60_000)).toBeUndefined()
    take(0, turn.start(), turn.stepStart(1))
    expect(progress.text(2_999)).toBeUndefined()
    take(1_000, turn.says(1, 'Hello.'), turn.stepEnd(1), turn.end('completed'))
    expect(progress.text(60_000)).toBeUndefined()
  })

  it('tells the model, and since when nothing came of it', () => {
    take(0, turn.start(), turn.stepStart(1))
    expect(progress.text(12_400)).toBe('step 1: the model, 12 s')
    progress.take(
      { kind: 'delta', delta: { turnId: 't', step: 1, attempt: 1, index: 0, text: 'He' } },
      20_000,
    )
    expect(progress.text(21_000)).toBeUndefined()
    expect(progress.text(145_000)).toBe('step 1: the model, 2 min')
  })

  it('tells the tools that run, each once', () => {
    take(0, turn.start(), turn.stepStart(2))
    take(0, turn.claims(2, 0, 'grep'), turn.claims(2, 1, 'grep'), turn.claims(2, 2, 'read_file'))
    expect(progress.text(5_000)).toBe('step 2: grep, read_file, 5 s')
    take(6_000, turn.answers(2, 2, 'ok'))
    expect(progress.text(10_000)).toBe('step 2: grep, 4 s')
  })

  it('tells that a human is waited for', () => {
    take(0, turn.start(), turn.stepStart(1), turn.drafts(1), turn.holds(1))
    expect(progress.text(7_500_000)).toBe('step 1: waits for approval, 2 h 5 min')
    take(7_500_000, turn.judgesOutput(1, 'pass', { by: 'reviewer' }))
    expect(progress.text(7_504_000)).toBe('step 1: the model, 4 s')
  })
})
