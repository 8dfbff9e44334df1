/** Arbitrary Turns, as the runtime would write them, for properties over logs. */
import fc from 'fast-check'
import type { NewEvent } from '../../src/core/event.ts'
import type { ReceiptKind } from '../../src/core/receipt.ts'
import { sampleTurn } from './sample-log.ts'

const TOOLS = ['read_file', 'write_file', 'send_mail'] as const

interface ArbitraryStep {
  readonly steers: number
  readonly lost: boolean
  readonly text: string
  readonly calls: readonly { readonly tool: string; readonly kind: ReceiptKind; readonly rank: number }[]
}

const arbitraryStep: fc.Arbitrary<ArbitraryStep> = fc.record({
  steers: fc.nat(2),
  lost: fc.boolean(),
  text: fc.string({ unit: 'grapheme' }),
  calls: fc.array(
    fc.record({
      tool: fc.constantFrom(...TOOLS),
      kind: fc.constantFrom<ReceiptKind>(
        'ok',
        'failed',
        'timed-out',
        'outcome-unknown',
        'invalid-arguments',
        'unknown-tool',
      ),
      rank: fc.nat(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const NOT_RUN: readonly ReceiptKind[] = ['invalid-arguments', 'unknown-tool']

function stepEvents(turnId: string, turn: number, step: number, one: ArbitraryStep): NewEvent[] {
  const { stepStart, steer, lost, asks, claims, answers, stepEnd } = sampleTurn(turnId, turn)
  const calls = one.calls.map((call, index) => ({ ...call, index }))
  const ran = calls.filter(({ kind }) => !NOT_RUN.includes(kind))
  return [
    stepStart(step),
    ...Array.from({ length: one.steers }, (_, index) => steer(`${turnId}-s${step}-${index}`, step)),
    ...(one.lost ? [lost(step, 1)] : []),
    asks(
      step,
      one.calls.map(({ tool }) => tool),
      { text: one.text },
    ),
    ...calls
      .filter(({ kind }) => NOT_RUN.includes(kind))
      .map(({ index, kind }) => answers(step, index, kind)),
    ...ran.map(({ index, tool }) => claims(step, index, tool)),
    ...ran.toSorted((a, b) => a.rank - b.rank).map(({ index, kind }) => answers(step, index, kind)),
    stepEnd(step),
  ]
}

/** A Turn from its start into its last Step, not ended; a cut of it anywhere is what a crash leaves. */
export function arbitraryOpenTurn(turnId: string, turn = 1): fc.Arbitrary<NewEvent[]> {
  const { start, followup, stepStart, says } = sampleTurn(turnId, turn)
  return fc
    .record({
      steps: fc.array(arbitraryStep, { maxLength: 4 }),
      final: fc.option(fc.string({ minLength: 1 })),
    })
    .map(({ steps, final }) => [
      start(),
      followup(),
      ...steps.flatMap((one, index) => stepEvents(turnId, turn, index + 1, one)),
      stepStart(steps.length + 1),
      ...(final === null ? [] : [says(steps.length + 1, `Finally: ${final}`)]),
    ])
}
