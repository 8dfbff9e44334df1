import { describe, expect, it } from 'vitest'
import { deriveMessages } from '../../src/core/derive-messages.ts'
import type { NewEvent } from '../../src/core/event.ts'
import { unjudgedInputs } from '../../src/core/pending-inputs.ts'
import { sampleTurn, seal } from './sample-log.ts'

const turn = sampleTurn('u1')
const pending = turn.followup('u1', { judged: 'pending' })

/** What a projection says, one line a message. */
function said(...events: readonly NewEvent[]): readonly string[] {
  return deriveMessages(seal(events)).map((message) =>
    message.role === 'user' ? `user: ${String(message.content)}` : message.role,
  )
}

describe('the projection of what guardrails judge', () => {
  it('holds an input back until it is judged', () => {
    expect(said(turn.start(), pending)).toEqual([])
    expect(said(turn.start(), pending, turn.judgesInput('u1'))).toEqual(['user: text of u1'])
  })

  it('shows an input as it was rewritten', () => {
    const rewritten = turn.judgesInput('u1', 'rewrite', { content: 'new text' })
    expect(said(turn.start(), pending, rewritten)).toEqual(['user: new text'])
  })

  it('has a notice in place of a blocked input', () => {
    expect(said(turn.start(), pending, turn.judgesInput('u1', 'block'), turn.end('blocked'))).toEqual([
      'user: [A message of the user was blocked by a guardrail and is not shown.]',
      'assistant',
    ])
  })

  it('has a notice in place of an input whose Turn ended before it was judged', () => {
    expect(said(turn.start(), pending, turn.end('aborted'))).toEqual([
      'user: [A message of the user was not judged by the guardrails and is not shown.]',
      'assistant',
    ])
  })

  it('keeps inputs in the order of their judgements', () => {
    const steer = turn.steer('s1', undefined, { judged: 'pending' })
    const opening = [turn.start(['s1', 'u1']), steer, pending]
    expect(said(...opening, turn.judgesInput('s1', 'block'), turn.judgesInput('u1'))).toEqual([
      'user: [A message of the user was blocked by a guardrail and is not shown.]',
      'user: text of u1',
    ])
  })

  it('shows nothing of a draft, and tells the model of an objection to it', () => {
    const before = [turn.start(), turn.followup(), turn.stepStart(1), turn.drafts(1)]
    expect(said(...before, turn.judgesOutput(1, 'block'))).toEqual(['user: text of u1'])
    expect(said(...before, turn.judgesOutput(1, 'object', { reason: 'Be polite.' }))).toEqual([
      'user: text of u1',
      'user: [Notice from the system: your last answer was withheld by a check, and nobody has seen it. Objection: Be polite. Answer again so that the objection does not hold.]',
    ])
  })

  it('of a log is a prefix of that of any longer one', () => {
    const events = seal([
      turn.start(['s1', 'u1']),
      turn.steer('s1', undefined, { judged: 'pending' }),
      pending,
      turn.judgesInput('s1', 'rewrite', { content: 'new text' }),
      turn.judgesInput('u1'),
      turn.stepStart(1),
      turn.drafts(1),
      turn.judgesOutput(1, 'object'),
      turn.lost(1, 1, { cause: 'rejected' }),
      turn.stepEnd(1),
      turn.stepStart(2),
      turn.steer('s2', 2, { judged: 'pending' }),
      turn.stepEnd(2),
      turn.end('aborted'),
    ])
    const whole = deriveMessages(events)
    for (let length = 0; length <= events.length; length += 1) {
      const part = deriveMessages(events.slice(0, length))
      expect(part).toEqual(whole.slice(0, part.length))
    }
  })
})

describe('unjudgedInputs', () => {
  it('are those that await a judgement and have none, in order', () => {
    const events = seal([
      turn.start(['s1', 's2', 'u1']),
      turn.steer('s1', undefined, { judged: 'pending' }),
      turn.steer('s2'),
      pending,
      turn.judgesInput('s1'),
    ])
    expect(unjudgedInputs(events).map(({ inputId }) => inputId)).toEqual(['u1'])
  })
})
