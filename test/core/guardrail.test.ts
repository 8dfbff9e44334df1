import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/core/agent.ts'
import type { Guardrails } from '../../src/core/guardrail.ts'
import type { Model } from '../../src/core/ports.ts'
import { readInputVerdict, readOutputVerdict } from '../../src/core/read-verdict.ts'

const model: Model = { name: 'none', respond: () => Promise.reject(new Error('not asked')) }
const judge = () => ({ verdict: 'pass' }) as const

function define(guardrails: unknown) {
  return createAgent({ name: 'tester', instructions: '', model, guardrails: guardrails as Guardrails })
}

describe('guardrails of an agent', () => {
  it('are named in its snapshot, in order', () => {
    const guardrails = { input: [{ name: 'b', judge }], output: [{ name: 'a', judge, timeoutMs: 10 }] }
    expect(define(guardrails).snapshot.guardrails).toEqual({
      input: ['b'],
      output: ['a'],
      maxObjections: 2,
    })
  })

  it.each([[undefined], [{}], [{ input: [], output: [] }]])(
    'are not in it when there are none: %j',
    (none) => {
      expect(define(none).snapshot).not.toHaveProperty('guardrails')
    },
  )

  it.each<[problem: string, guardrails: unknown]>([
    ['guardrails must be { input, output }', 'strict'],
    ['guardrails.input must be a list of guardrails', { input: judge }],
    ['guardrails.input[0] must be { name, judge }', { input: [judge] }],
    [
      'guardrails.output[0].name must be 1 to 128 characters out of A-Z a-z 0-9 _ . -',
      { output: [{ name: 'no spaces', judge }] },
    ],
    ['guardrails.output[1].judge must be a function', { output: [{ name: 'a', judge }, { name: 'b' }] }],
    ['guardrails.input[0].timeoutMs must be a whole number', { input: [{ name: 'a', judge, timeoutMs: 0 }] }],
    [
      'guardrails.input[1].name "a" is there twice',
      {
        input: [
          { name: 'a', judge },
          { name: 'a', judge },
        ],
      },
    ],
    ['guardrails.maxObjections must be a whole number from 0 on, not -1', { maxObjections: -1 }],
  ])('are refused with the field named: %s', (problem, guardrails) => {
    expect(() => define(guardrails)).toThrow(`Agent "tester": ${problem}`)
  })
})

describe('reading a verdict', () => {
  it.each([
    [{ verdict: 'pass', note: 'fine' }, { verdict: 'pass' }],
    [
      { verdict: 'block', reason: ' no ' },
      { verdict: 'block', reason: 'no' },
    ],
    [
      { verdict: 'rewrite', content: 'new' },
      { verdict: 'rewrite', content: 'new' },
    ],
  ])('takes %j from either stage', (said, verdict) => {
    expect(readInputVerdict(said)).toEqual(verdict)
    expect(readOutputVerdict(said)).toEqual(verdict)
  })

  it.each([
    [undefined],
    [null],
    ['pass'],
    [{}],
    [{ verdict: 'PASS' }],
    [{ verdict: 'block' }],
    [{ verdict: 'rewrite' }],
    [{ verdict: 'rewrite', content: ' ' }],
    [{ verdict: 'rewrite', content: 7 }],
  ])('takes %j from neither', (said) => {
    expect([readInputVerdict(said), readOutputVerdict(said)]).toEqual([undefined, undefined])
  })

  it.each(['object', 'hold'])('takes %s from an output guardrail alone', (verdict) => {
    const said = { verdict, reason: 'why' }
    expect([readInputVerdict(said), readOutputVerdict(said)]).toEqual([undefined, said])
  })

  it('takes parts in place of an input, none in place of a text', () => {
    const said = { verdict: 'rewrite', content: [{ type: 'text', text: 'new' }] }
    expect([readInputVerdict(said), readOutputVerdict(said)]).toEqual([said, undefined])
  })

  it('keeps a reason short and printable', () => {
    const reason = `\u001b[31m${'x'.repeat(600)}`
    expect(readInputVerdict({ verdict: 'block', reason })).toEqual({
      verdict: 'block',
      reason: `${'x'.repeat(499)}…`,
    })
  })
})
