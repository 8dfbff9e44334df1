import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { toFailure } from '../../src/activities/to-failure.ts'
import { TurnstepError } from '../../src/core/errors.ts'

const PLACEHOLDER = expect.stringMatching(/^no \[email:[0-9a-f]{8}\]$/)

describe('toFailure', () => {
  it('keeps the code, whether it is retried and the wait of an operational failure', () => {
    expect(toFailure(new TurnstepError('rate-limited', 'Later.', { retryAfterMs: 50 }))).toMatchObject({
      message: 'Later.',
      type: 'rate-limited',
      nonRetryable: false,
      nextRetryDelay: 50,
    })
  })

  it('redacts messages, causes and stacks', () => {
    const cause = new TypeError('no ada@example.org', { cause: 'no bob@example.org' })
    const failure = toFailure(new TurnstepError('internal', 'no eve@example.org', { cause }))
    expect(failure).toMatchObject({
      message: PLACEHOLDER,
      cause: { name: 'TypeError', message: PLACEHOLDER, cause: PLACEHOLDER },
    })
    const bug = toFailure(cause) as Error
    expect(bug).toMatchObject({ name: 'TypeError', message: PLACEHOLDER, cause: PLACEHOLDER })
    expect(bug.stack).not.toContain('ada@')
    expect(bug.stack).toContain('to-failure.test.ts')
  })

  it('bounds a circle of causes', () => {
    const circle = new Error('no ada@example.org')
    circle.cause = circle
    expect(toFailure(circle)).toMatchObject({ message: PLACEHOLDER, cause: { message: PLACEHOLDER } })
  })

  it('leaves bugs that say nothing sensitive, and failures of Temporal, as they are', () => {
    const bug = new TypeError('x is not a function')
    const cancelled = new CancelledFailure('The call was stopped')
    const failure = ApplicationFailure.retryable('again', 'tool-failed')
    expect(toFailure(bug)).toBe(bug)
    expect(toFailure(cancelled)).toBe(cancelled)
    expect(toFailure(failure)).toBe(failure)
    expect(toFailure('text')).toBe('text')
  })
})
