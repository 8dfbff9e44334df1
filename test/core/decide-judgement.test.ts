import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../src/core/authorize-call.ts'
import { boundVerdict, decideDraft, decideOutput, decideUnjudged } from '../../src/core/decide-judgement.ts'
import type { MessageOffer } from '../../src/core/decide-step.ts'
import type { Event, NewEvent } from '../../src/core/event.ts'
import { EMPTY_HEAD } from '../../src/core/log-head.ts'
import type { CommitView } from '../../src/core/ports.ts'
import { MESSAGE_USAGE, sampleTurn, seal } from './sample-log.ts'

const turn = sampleTurn('u1')

const draft: MessageOffer = {
  message: {
    turnId: 'u1',
    turn: 1,
    step: 1,
    text: 'Oh darn.',
    reasoning: { field: 'reasoning', text: 'Shall I?' },
    finish: 'stop',
    usage: MESSAGE_USAGE,
    model: 'sample',
  },
  calls: [],
  policy: DEFAULT_POLICY,
  unrunnable: [],
  lost: [],
  attempt: 2,
}

function viewOf(...events: readonly NewEvent[]): CommitView {
  const log: readonly Event[] = seal(events)
  return { head: EMPTY_HEAD, existing: (key) => log.find((event) => event.key === key) }
}

const typesOf = (events: readonly NewEvent[]): readonly string[] => events.map(({ type }) => type)

describe('a draft', () => {
  it('is noted by digest, attempt and cost', () => {
    const { append, answer } = decideDraft(viewOf(), { offer: draft, digest: 'd' })
    expect(answer).toBe('committed')
    expect(append).toEqual([turn.drafts(1, { digest: 'd', attempt: 2 })])
  })

  it('that comes second is noted as lost', () => {
    const { append, answer } = decideDraft(viewOf(turn.drafts(1)), { offer: draft, digest: 'd' })
    expect(answer).toBe('superseded')
    expect(append).toEqual([turn.lost(1, 2, { cause: 'superseded', usage: MESSAGE_USAGE })])
  })

  it('is said when it passes', () => {
    const { append } = decideOutput(viewOf(turn.drafts(1)), { draft, judgement: { verdict: 'pass' } })
    expect(append).toEqual([
      turn.judgesOutput(1),
      turn.says(1, 'Oh darn.', { reasoning: { field: 'reasoning', text: 'Shall I?' } }),
    ])
  })

  it('is said as it was rewritten, without the reasoning that tells the original', () => {
    const judgement = { verdict: 'rewrite', guardrail: 'guard', content: 'Oh dear.' } as const
    const { append } = decideOutput(viewOf(turn.drafts(1)), { draft, judgement })
    expect(append).toEqual([
      turn.judgesOutput(1, 'rewrite', { content: 'Oh dear.' }),
      turn.says(1, 'Oh dear.'),
    ])
  })

  it.each(['block', 'object'] as const)('is counted and not said after %s', (verdict) => {
    const judgement = { verdict, guardrail: 'guard', reason: 'Not this.' }
    const { append } = decideOutput(viewOf(turn.drafts(1)), { draft, judgement })
    expect(append).toEqual([
      turn.judgesOutput(1, verdict, { reason: 'Not this.' }),
      turn.lost(1, 2, { cause: 'rejected', usage: MESSAGE_USAGE }),
    ])
  })

  it.each([
    ['judged', turn.judgesOutput(1, 'block')],
    ['said', turn.says(1, 'Oh dear.')],
  ])('that was %s is left alone', (_, event) => {
    const { append } = decideOutput(viewOf(turn.drafts(1), event), { draft, judgement: { verdict: 'pass' } })
    expect(typesOf(append)).toEqual([])
  })
})

describe('a message without text', () => {
  const message = { ...draft, message: { ...draft.message, text: '' } }

  it('is committed unjudged', () => {
    expect(typesOf(decideUnjudged(viewOf(), message).append)).toEqual(['assistant/message'])
  })

  it('is lost to a draft that another attempt brought', () => {
    const { append, answer } = decideUnjudged(viewOf(turn.drafts(1)), message)
    expect(answer).toBe('superseded')
    expect(append).toEqual([turn.lost(1, 2, { cause: 'superseded', usage: MESSAGE_USAGE })])
  })
})

describe('an objection', () => {
  const objection = { verdict: 'object', guardrail: 'guard', reason: 'Not this.' } as const
  const earlier = seal([turn.judgesOutput(1, 'object')])

  it('stands while the Turn has objections left', () => {
    expect(boundVerdict(objection, { earlier, maxObjections: 2 })).toEqual(objection)
  })

  it("is not one of a human's, which are not counted", () => {
    const humans = seal([turn.judgesOutput(1, 'object', { by: 'reviewer' })])
    expect(boundVerdict(objection, { earlier: humans, maxObjections: 1 })).toEqual(objection)
  })

  it('becomes a block when it has none', () => {
    expect(boundVerdict(objection, { earlier, maxObjections: 1 })).toEqual({
      verdict: 'block',
      guardrail: 'guard',
      reason: 'Not this. (objected to 2 times)',
    })
  })
})
