import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handBackOf, handBackText, type UnfinishedReason } from '../../src/core/hand-back.ts'
import { arbitraryOpenTurn } from './arbitrary-log.ts'
import { sampleTurn } from './sample-log.ts'

const turn = sampleTurn('u1')

describe('handBackOf', () => {
  it('says what was done, what blocks and how to go on when the step budget is spent (B60)', () => {
    const events = [
      turn.start(),
      turn.followup(),
      turn.stepStart(1),
      turn.asks(1, ['read_file', 'read_file', 'grep'], { text: 'I look\n into it.' }),
      turn.claims(1, 0, 'read_file'),
      turn.claims(1, 1, 'read_file'),
      turn.claims(1, 2, 'grep'),
      turn.answers(1, 0),
      turn.answers(1, 1),
      turn.answers(1, 2, 'failed'),
      turn.stepEnd(1),
    ]
    expect(handBackOf(events, 'max-steps')).toEqual({
      done: ['Ran read_file 2 times.', 'Said: I look into it.'],
      blockedBy: 'The step limit of this turn is used up.',
      next: 'Send a message to go on with a new limit, or raise maxSteps of the agent.',
    })
  })

  it('warns of what may have had an effect', () => {
    const events = [
      turn.start(),
      turn.stepStart(1),
      turn.asks(1, ['send_mail']),
      turn.answers(1, 0, 'outcome-unknown'),
    ]
    expect(handBackOf(events, 'aborted')).toEqual({
      done: ['Started send_mail, outcome unknown: verify it.'],
      blockedBy: 'The turn was stopped on request.',
      next: 'Send a message to go on from here.',
    })
  })

  it.each<[reason: UnfinishedReason, code: string | undefined, blockedBy: string]>([
    ['blocked', undefined, 'A guardrail or policy does not allow this.'],
    ['max-tokens', undefined, "The model's output was cut off three times in a row."],
    ['max-duration', undefined, 'The time limit of this turn is used up.'],
    ['stalled', undefined, 'The model kept asking for the same tool calls, which gave nothing new.'],
    ['provider-refused', undefined, 'The model provider refused to answer.'],
    ['error', 'context-too-long', "The conversation is longer than the model's context window."],
    ['error', 'terminated', 'The turn was terminated from outside before it could end.'],
    ['error', 'something-new', 'An error stopped the turn (something-new).'],
    ['error', 'toString', 'An error stopped the turn (toString).'],
    ['error', undefined, 'An error stopped the turn (internal).'],
  ])('explains %s (%s) in plain words', (reason, code, blockedBy) => {
    expect(handBackOf([], reason, { code }).blockedBy).toBe(blockedBy)
  })

  it.each([
    ['token-budget', 'The token budget of this session is used up.', 'raise maxSessionTokens of the agent.'],
    [
      'cost-budget',
      'The cost budget of this session is used up.',
      'raise maxSessionCostMicroUsd of the agent.',
    ],
  ] as const)('tells the %s of the Session from that of the Turn', (reason, blockedBy, how) => {
    expect(handBackOf([], reason, { scope: 'session' })).toEqual({
      done: [],
      blockedBy,
      next: `Start a new session with what matters, or ${how}`,
    })
  })

  it.each([
    ['your message', turn.judgesInput('u1', 'block')],
    ["the model's answer", turn.judgesOutput(1, 'block')],
  ])('says which guardrail does not allow %s, and why', (what, judged) => {
    expect(handBackOf([turn.judgesOutput(1, 'object'), judged], 'blocked')).toEqual({
      done: [],
      blockedBy: `The guardrail guard does not allow ${what}: Not this.`,
      next: 'Ask for something else, or change the guardrail.',
    })
  })

  it('keeps to the last text, cut between code points (B50)', () => {
    const events = [turn.says(1, 'First.'), turn.says(2, '😀'.repeat(300))]
    expect(handBackOf(events, 'aborted').done).toEqual([`Said: ${'😀'.repeat(200)}…`])
  })

  it('counts tools that it does not name', () => {
    const tools = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const events = [turn.asks(1, tools), ...tools.map((_, index) => turn.answers(1, index))]
    expect(handBackOf(events, 'aborted').done).toEqual([
      'Ran a.',
      'Ran b.',
      'Ran c.',
      'Ran d.',
      'Ran e.',
      'And 2 other tools.',
    ])
  })

  it('is short and well formed whatever the Turn did', () => {
    fc.assert(
      fc.property(arbitraryOpenTurn('u1'), (events) => {
        const text = handBackText(handBackOf(events, 'aborted'))
        expect(text.length).toBeLessThan(2_000)
        expect(text.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('handBackText', () => {
  it('lists what was done', () => {
    expect(handBackText({ done: ['Ran grep.'], blockedBy: 'It was stopped.', next: 'Go on.' })).toBe(
      '[This turn ended before it was finished.]\nDone:\n- Ran grep.\nWhy: It was stopped.\nNext: Go on.',
    )
  })

  it('says so when nothing was done', () => {
    expect(handBackText({ done: [], blockedBy: 'It was stopped.', next: 'Go on.' })).toBe(
      '[This turn ended before it was finished.]\nDone: nothing yet.\nWhy: It was stopped.\nNext: Go on.',
    )
  })
})
