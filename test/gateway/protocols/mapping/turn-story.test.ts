import { describe, expect, it } from 'vitest'
import type { StreamItem } from '../../../../src/client/follow-events.ts'
import type { TurnPart } from '../../../../src/gateway/protocols/turn-part.ts'
import { type TurnChoice, TurnStory } from '../../../../src/gateway/protocols/turn-story.ts'
import { RECORDED } from './recorded-items.ts'

function told(items: readonly StreamItem[], choice: TurnChoice = { inputId: 'u1' }): readonly TurnPart[] {
  const story = new TurnStory(choice)
  return items.flatMap((item) => story.read(item))
}

/** One word for each part, with what matters of it. */
function outline(parts: readonly TurnPart[]): readonly string[] {
  return parts.map((part) => {
    switch (part.kind) {
      case 'begin':
      case 'end':
      case 'void':
        return `${part.kind} ${part.id}`
      case 'delta':
        return `${part.id}: ${part.delta}`
      case 'input':
        return `${part.inputId} ${part.fate}`
      case 'step-start':
      case 'step-end':
        return `${part.kind} ${part.step}`
      case 'call':
      case 'call-started':
        return `${part.kind} ${part.callId}`
      case 'receipt':
        return `${part.event.kind} ${part.event.callId}`
      case 'approval-decided':
        return part.event.decision
      case 'waiting':
        return `waiting ${part.callIds.join()}`
      case 'turn-end':
        return part.event.reason
      default:
        return part.kind
    }
  })
}

describe('the story of a Turn', () => {
  it('is told as it goes', () => {
    expect(outline(told(RECORDED.LIVE))).toEqual([
      'turn-start',
      'u1 claimed',
      'step-start 1',
      'message',
      'call c1_1_0',
      'call-started c1_1_0',
      'ok c1_1_0',
      'step-end 1',
      'step-start 2',
      'begin r1_2',
      'r1_2: Two and ',
      'r1_2: two.',
      'end r1_2',
      'begin m1_2',
      'm1_2: It is ',
      'm1_2: four.',
      'end m1_2',
      'message',
      'step-end 2',
      'completed',
    ])
  })

  it('takes back what a lost attempt said', () => {
    expect(outline(told(RECORDED.STARTED_OVER))).toEqual([
      'turn-start',
      'u1 claimed',
      'step-start 1',
      'begin r1_1',
      'r1_1: Hm.',
      'end r1_1',
      'begin m1_1',
      'm1_1: It is fi',
      'void r1_1',
      'end m1_1',
      'void m1_1',
      'begin m1_1.1',
      'm1_1.1: It is four.',
      'end m1_1.1',
      'message',
      'step-end 1',
      'completed',
    ])
  })

  it('takes back what was said and never committed', () => {
    expect(outline(told(RECORDED.FAILED))).toEqual([
      'turn-start',
      'u1 claimed',
      'step-start 1',
      'begin m1_1',
      'm1_1: It',
      'end m1_1',
      'void m1_1',
      'step-end 1',
      'error',
    ])
  })

  it('says when it waits for a human, and when it goes on', () => {
    expect(outline(told(RECORDED.APPROVED))).toEqual([
      'turn-start',
      'u1 claimed',
      'step-start 1',
      'begin m1_1',
      'm1_1: I will send it.',
      'end m1_1',
      'message',
      'call c1_1_0',
      'approval-requested',
      'waiting c1_1_0',
      'approve',
      'going-on',
      'call-started c1_1_0',
      'ok c1_1_0',
      'step-end 1',
      'step-start 2',
      'begin m1_2',
      'm1_2: Sent.',
      'end m1_2',
      'message',
      'step-end 2',
      'completed',
    ])
  })

  it('goes on once the client has answered', () => {
    expect(outline(told(RECORDED.CLIENT_ANSWERED)).slice(4, 9)).toEqual([
      'call c1_1_0',
      'call-started c1_1_0',
      'waiting c1_1_0',
      'ok c1_1_0',
      'going-on',
    ])
  })

  it('tells of other inputs while it lasts, and nothing of other Turns', () => {
    expect(outline(told(RECORDED.ABORTED)).slice(-3)).toEqual(['step-end 1', 'u2 withdrawn', 'aborted'])
    expect(told(RECORDED.LIVE, { inputId: 'u9' })).toEqual([])
    expect(outline(told(RECORDED.LIVE, { turnId: 'u1' }))).toHaveLength(20)
  })

  it('is over when its input will open no Turn', () => {
    const story = new TurnStory({ inputId: 'u1' })
    expect(RECORDED.REFUSED.flatMap((item) => story.read(item))).toEqual([
      { kind: 'input', inputId: 'u1', fate: 'refused', reason: 'inbox-full' },
    ])
    expect(story.isOver).toBe(true)
  })
})

/** What is said in the end: all that was told and not taken back. */
function said(parts: readonly TurnPart[]): string {
  const taken = new Set(parts.flatMap((part) => (part.kind === 'void' ? [part.id] : [])))
  return parts
    .flatMap((part) =>
      part.kind === 'delta' && part.channel === 'text' && !taken.has(part.id) ? [part.delta] : [],
    )
    .join('')
}

describe('what is said in the end', () => {
  it.each([
    ['LIVE', 'It is four.'],
    ['AFTERWARDS', 'It is four.'],
    ['JOINED', 'It is four.'],
    ['STARTED_OVER', 'It is four.'],
    ['ABORTED', 'It is '],
    ['FAILED', ''],
  ] as const)('is what the log has: %s', (name, text) => {
    expect(said(told(RECORDED[name]))).toBe(text)
  })
})
