import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GuardedCall, GuardedResult, GuardState, GuardVerdict } from '../../src/core/loop-guard.ts'
import {
  clearGuard,
  EMPTY_GUARD,
  isStalledStep,
  judgeCalls,
  recordResults,
} from '../../src/core/loop-guard.ts'
import type { ReceiptKind, ToolEffect } from '../../src/core/receipt.ts'

/** A call and what it would give if it ran. */
interface Scripted extends GuardedCall {
  readonly receipt: ReceiptKind
  readonly resultDigest?: string
}

function scripted(effect: ToolEffect) {
  return (fingerprint: string, resultDigest = 'same', receipt: ReceiptKind = 'ok'): Scripted => ({
    fingerprint,
    effect,
    receipt,
    resultDigest,
  })
}

const read = scripted('read')
const write = scripted('idempotent')
const once = scripted('once')
const broken = (fingerprint: string, receipt: ReceiptKind = 'unknown-tool'): Scripted => ({
  fingerprint,
  effect: 'read',
  receipt,
})

/** Says in one word what a verdict is. */
function word(verdict: GuardVerdict): string {
  if (verdict.kind === 'shared') return `as ${verdict.with}`
  return verdict.kind === 'run' && verdict.unchangedIf !== undefined
    ? `run unless ${verdict.unchangedIf}`
    : verdict.kind
}

interface Played {
  readonly state: GuardState
  readonly verdicts: readonly (readonly string[])[]
  readonly stalled: readonly boolean[]
}

/** Plays Steps one second apart, each call giving what its script says unless it is repeated. */
function play(steps: readonly (readonly Scripted[])[], from: GuardState = EMPTY_GUARD): Played {
  return steps.reduce<Played>(
    ({ state, verdicts, stalled }, step, index) => {
      const nowMs = index * 1_000
      const runnable = step.filter(
        ({ receipt }) => receipt !== 'unknown-tool' && receipt !== 'invalid-arguments',
      )
      const judged = judgeCalls(state, runnable, nowMs)
      const results = step.map((call): GuardedResult => {
        if (judged[runnable.indexOf(call)]?.kind !== 'repeated') return call
        const { resultDigest: _, ...asked } = call
        return { ...asked, receipt: 'repeated' }
      })
      return {
        state: recordResults(state, results, nowMs),
        verdicts: [...verdicts, judged.map(word)],
        stalled: [...stalled, isStalledStep(state, results)],
      }
    },
    { state: from, verdicts: [], stalled: [] },
  )
}

/** The verdicts on Steps of one call each. */
function verdictsOn(...calls: readonly Scripted[]): string[] {
  return play(calls.map((call) => [call])).verdicts.flat()
}

describe('judgeCalls', () => {
  it.each<[rule: string, calls: readonly Scripted[], verdicts: readonly string[]]>([
    ['lets different calls run', [read('a'), read('b'), once('c')], ['run', 'run', 'run']],
    [
      'lets a read run once more, then no more: a, a, a fires (B58)',
      [read('a'), read('a'), read('a'), read('a')],
      ['run', 'run unless same', 'repeated', 'repeated'],
    ],
    [
      'treats an idempotent call alike',
      [write('a'), write('a'), write('a')],
      ['run', 'run unless same', 'repeated'],
    ],
    [
      'takes a changed result for progress (B56)',
      [read('a', 'pending'), read('a', 'half'), read('a', 'done'), read('a', 'done'), read('a', 'done')],
      ['run', 'run unless pending', 'run unless half', 'run unless done', 'repeated'],
    ],
    [
      'does not take results that alternate for a block (B56)',
      [read('a', '1'), read('a', '2'), read('a', '1'), read('a', '2'), read('a', '1'), read('a', '2')],
      ['run', 'run unless 1', 'run unless 2', 'run unless 1', 'run unless 2', 'run unless 1'],
    ],
    [
      'repeats a once call at once after it succeeded',
      [once('a'), once('a'), once('a')],
      ['run', 'repeated', 'repeated'],
    ],
    [
      'repeats a once call at once after an unknown outcome',
      [once('a', 'x', 'outcome-unknown'), once('a')],
      ['run', 'repeated'],
    ],
    [
      'repeats a once call at once after it timed out',
      [once('a', 'x', 'timed-out'), once('a')],
      ['run', 'repeated'],
    ],
    [
      'lets a once call that failed run again, twice in all if it fails alike',
      [once('a', 'x', 'failed'), once('a', 'x', 'failed'), once('a', 'x', 'failed')],
      ['run', 'run', 'repeated'],
    ],
    [
      'says nothing of unchanged after a failure',
      [read('a', 'x', 'failed'), read('a', 'x', 'failed'), read('a', 'x', 'failed')],
      ['run', 'run', 'repeated'],
    ],
    [
      'remembers across reads in between',
      [read('a'), read('b'), read('a'), read('c'), read('a')],
      ['run', 'run', 'run unless same', 'run', 'repeated'],
    ],
    [
      'remembers an idempotent call across reads that vary',
      [write('w'), read('a'), write('w'), read('b'), write('w')],
      ['run', 'run', 'run unless same', 'run', 'repeated'],
    ],
    [
      'remembers what a repeated call had done',
      [once('a'), once('a'), read('b'), once('a')],
      ['run', 'repeated', 'run', 'repeated'],
    ],
    [
      'tells a failure from a success of the same text',
      [read('a', 'x', 'failed'), read('a', 'x'), read('a', 'x'), read('a', 'x')],
      ['run', 'run', 'run unless x', 'repeated'],
    ],
    [
      'learns nothing from a call whose message was cut',
      [read('a', 'x', 'output-cut'), read('a', 'x', 'output-cut'), read('a')],
      ['run', 'run', 'run'],
    ],
    [
      'forgets a read when something may have changed in between',
      [read('a'), read('a'), write('w'), read('a'), read('a'), read('a')],
      ['run', 'run unless same', 'run', 'run', 'run unless same', 'repeated'],
    ],
    [
      'forgets a once call when something may have changed in between',
      [once('a'), once('b'), once('a')],
      ['run', 'run', 'run'],
    ],
    [
      'forgets nothing for a change that did not run',
      [read('a'), write('w', 'x', 'denied'), read('a'), read('a')],
      ['run', 'run', 'run unless same', 'repeated'],
    ],
    [
      'asks no human a third time what was denied twice',
      [once('a', 'x', 'denied'), once('a', 'x', 'denied'), once('a')],
      ['run', 'run', 'repeated'],
    ],
    [
      'fires on blocks of period 2 (B58)',
      [read('a'), read('b'), read('a'), read('b'), read('a'), read('b')],
      ['run', 'run', 'run unless same', 'run unless same', 'repeated', 'repeated'],
    ],
    [
      'fires on blocks of period 2 with a change in them (B58)',
      [read('a'), write('w'), read('a'), write('w'), read('a'), write('w'), read('a')],
      ['run', 'run', 'run', 'run unless same', 'repeated', 'repeated', 'repeated'],
    ],
    [
      'fires on blocks of period 3 with changes in them (B58)',
      [
        write('v'),
        write('w'),
        read('a'),
        write('v'),
        write('w'),
        read('a'),
        write('v'),
        write('w'),
        read('a'),
      ],
      ['run', 'run', 'run', 'run', 'run', 'run', 'repeated', 'repeated', 'repeated'],
    ],
    [
      'fires on blocks of period 4 with changes in them (B58)',
      [
        once('v'),
        read('a'),
        once('w'),
        read('b'),
        once('v'),
        read('a'),
        once('w'),
        read('b'),
        once('v'),
        read('a'),
      ],
      ['run', 'run', 'run', 'run', 'run', 'run', 'run', 'run', 'repeated', 'repeated'],
    ],
    [
      'does not fire on a block that varies (B58)',
      [
        once('v'),
        read('a'),
        once('w'),
        read('b'),
        once('v'),
        read('c'),
        once('w'),
        read('d'),
        once('v'),
        read('e'),
      ],
      ['run', 'run', 'run', 'run', 'run', 'run', 'run', 'run', 'run', 'run'],
    ],
    [
      'does not fire on a block whose results change',
      [once('v'), once('w', '1'), once('v'), once('w', '2'), once('v'), once('w', '3')],
      ['run', 'run', 'run', 'run', 'run', 'run'],
    ],
  ])('%s', (_, calls, verdicts) => {
    expect(verdictsOn(...calls)).toEqual(verdicts)
  })

  it('takes no call that could not run for a part of a block', () => {
    const names = ['v', 'w', 'v', 'w', 'v']
    const steps = names.flatMap((name, index) => [[broken(`typo ${index}`)], [once(name)]])
    expect(play(steps).verdicts.flat()).toEqual(['run', 'run', 'run', 'run', 'repeated'])
  })

  it('runs the first of identical once calls in a Step', () => {
    expect(play([[once('a'), once('b'), once('a'), once('a')]]).verdicts).toEqual([
      ['run', 'run', 'repeated', 'repeated'],
    ])
  })

  it('lets identical reads in a Step share one execution, which counts once', () => {
    const step = [read('b'), read('a'), read('a'), read('a')]
    expect(play([step, step, step]).verdicts).toEqual([
      ['run', 'run', 'as 1', 'as 1'],
      ['run unless same', 'run unless same', 'as 1', 'as 1'],
      ['repeated', 'repeated', 'repeated', 'repeated'],
    ])
  })

  it('fires on Steps of many calls with a change among them, in any order', () => {
    const step = [read('a'), read('b'), write('v'), write('w'), read('c'), read('d')]
    expect(play([step, step.toReversed(), step, step.toReversed()]).verdicts.slice(2)).toEqual([
      ['repeated', 'repeated', 'repeated', 'repeated', 'repeated', 'repeated'],
      ['repeated', 'repeated', 'repeated', 'repeated', 'repeated', 'repeated'],
    ])
  })

  it('keeps firing on Steps of more calls than it remembers', () => {
    const step = Array.from({ length: 100 }, (_, index) => once(`call ${index}`))
    const { verdicts } = play([step, step, step, step, step])
    expect(verdicts.slice(2).every((words) => words.every((one) => one === 'repeated'))).toBe(true)
  })

  it('remembers once calls that ran side by side', () => {
    expect(
      play([
        [once('a'), once('b')],
        [once('a'), once('b')],
      ]).verdicts[1],
    ).toEqual(['repeated', 'repeated'])
  })

  it('lets a read that ran beside a change run again', () => {
    expect(
      play([[read('a'), write('w')], [read('a'), write('x')], [read('a')], [read('a')]]).verdicts,
    ).toEqual([['run', 'run'], ['run unless same', 'run'], ['run unless same'], ['repeated']])
  })

  it('starts afresh after a steer', () => {
    const { state } = play([[once('a')], [read('b')], [read('b')]])
    expect(judgeCalls(state, [once('a'), read('b')], 0).map(word)).toEqual(['repeated', 'repeated'])
    expect(judgeCalls(clearGuard(), [once('a'), read('b')], 0).map(word)).toEqual(['run', 'run'])
  })
})

describe('judgeCalls on polls', () => {
  const poll = (limits: NonNullable<GuardedCall['poll']>, resultDigest = 'pending'): Scripted => ({
    ...read('status', resultDigest),
    poll: limits,
  })

  it('lets a poll run on with the same result (B56)', () => {
    expect(verdictsOn(poll({}), poll({}), poll({}), poll({}), poll({}))).toEqual([
      'run',
      'run',
      'run',
      'run',
      'run',
    ])
  })

  it('stops a poll after its own count, whatever it answered', () => {
    const limits = { maxCalls: 3 }
    expect(
      verdictsOn(poll(limits, '1'), poll(limits, '2'), poll(limits, '2'), poll(limits), poll(limits)),
    ).toEqual(['run', 'run', 'run', 'repeated', 'repeated'])
  })

  it('stops a poll after its own time', () => {
    const limits = { maxDurationMs: 2_000 }
    expect(verdictsOn(poll(limits), poll(limits), poll(limits))).toEqual(['run', 'run', 'repeated'])
  })

  it('counts afresh when something may have changed in between', () => {
    const limits = { maxCalls: 2 }
    expect(verdictsOn(poll(limits), poll(limits), write('restart'), poll(limits))).toEqual([
      'run',
      'run',
      'run',
      'run',
    ])
  })

  it('lets identical polls in a Step share one execution', () => {
    expect(play([[poll({}), poll({})]]).verdicts).toEqual([['run', 'as 0']])
  })

  it('takes no poll for a part of a block', () => {
    const calls = [
      once('v'),
      poll({}),
      once('w'),
      poll({}),
      once('v'),
      poll({}),
      once('w'),
      poll({}),
      once('v'),
      poll({}),
    ]
    expect(verdictsOn(...calls).slice(-2)).toEqual(['repeated', 'run'])
  })
})

describe('isStalledStep', () => {
  it('is true for a Step whose receipts are all repeated', () => {
    expect(play([[read('a')], [read('a')], [read('a')], [read('a'), read('b')]]).stalled).toEqual([
      false,
      false,
      true,
      false,
    ])
  })

  it.each<ReceiptKind>(['unknown-tool', 'invalid-arguments'])(
    'counts a call from the third time that it is %s',
    (kind) => {
      const call = broken('a', kind)
      expect(play([[call], [call], [call], [call], [call]]).stalled).toEqual([false, false, true, true, true])
    },
  )

  it('counts a call that could not run beside one that is repeated', () => {
    const step = [broken('x'), once('a')]
    expect(play([step, step, step, step]).stalled).toEqual([false, false, true, true])
  })

  it('is false for calls that could not run in different ways', () => {
    expect(play([[broken('a')], [broken('b')], [broken('c')], [broken('d')]]).stalled).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  it('is false without calls', () => {
    expect(isStalledStep(EMPTY_GUARD, [])).toBe(false)
  })
})

const arbitraryCall: fc.Arbitrary<Scripted> = fc.record({
  fingerprint: fc.constantFrom('a', 'b', 'c', 'd', 'e').map((letter) => letter.repeat(64)),
  effect: fc.constantFrom<ToolEffect>('read', 'idempotent', 'once'),
  receipt: fc.constantFrom<ReceiptKind>(
    'ok',
    'failed',
    'timed-out',
    'outcome-unknown',
    'denied',
    'unknown-tool',
  ),
  resultDigest: fc.constantFrom('0', '1').map((digit) => digit.repeat(64)),
})

describe('the loop guard', () => {
  it('never fires on a sequence in which every call is new', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<ToolEffect>('read', 'idempotent', 'once'), { maxLength: 60 }),
        (effects) => {
          const calls = effects.map((effect, index) => scripted(effect)(`call ${index}`))
          expect(new Set(verdictsOn(...calls))).toEqual(new Set(calls.length > 0 ? ['run'] : []))
        },
      ),
    )
  })

  it('never fires on a read or idempotent call whose result changes every time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }),
        fc.constantFrom(read, write),
        (names, make) => {
          const verdicts = verdictsOn(...names.map((name, index) => make(name, `result ${index}`)))
          expect(verdicts).not.toContain('repeated')
        },
      ),
    )
  })

  it('always fires at the third of three alike, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.array(arbitraryCall, { maxLength: 4 }), { maxLength: 20 }), (before) => {
        const { state } = play(before)
        expect(play([[read('x')], [read('x')], [read('x')]], state).verdicts).toEqual([
          ['run'],
          ['run unless same'],
          ['repeated'],
        ])
      }),
    )
  })

  it('always fires in the third round of a block of up to four different calls (B58)', () => {
    fc.assert(
      fc.property(
        fc.array(
          arbitraryCall.filter(({ receipt }) => receipt !== 'unknown-tool'),
          { minLength: 1, maxLength: 4 },
        ),
        (calls) => {
          const block = calls.map((call, index) => ({ ...call, fingerprint: `call ${index}` }))
          const third = verdictsOn(...block, ...block, ...block).slice(-block.length)
          expect(new Set(third)).toEqual(new Set(['repeated']))
        },
      ),
    )
  })

  it('stays small, whatever the Turn does', () => {
    const step = (at: number) =>
      Array.from({ length: 30 }, (_, index) => read(`${at}.${index}`.padStart(64, '0'), 'f'.repeat(64)))
    const { state } = play(Array.from({ length: 200 }, (_, at) => step(at)))
    expect(JSON.stringify(state).length).toBeLessThan(5_000)
  })

  it('is plain JSON', () => {
    const { state } = play([[read('a'), once('b')], [{ ...read('c'), poll: {} }]])
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  })
})
