import { describe, expect, it } from 'vitest'
import { exitCodeOfEnd, exitCodeOfError } from '../../src/cli/exit-code.ts'
import { TurnstepError } from '../../src/core/errors.ts'

describe('the exit code', () => {
  it.each([
    { reason: 'completed', code: 0 },
    { reason: 'error', code: 1 },
    { reason: 'aborted', code: 130 },
    { reason: 'blocked', code: 3 },
    { reason: 'max-tokens', code: 3 },
    { reason: 'max-steps', code: 3 },
    { reason: 'max-duration', code: 3 },
    { reason: 'token-budget', code: 3 },
    { reason: 'cost-budget', code: 3 },
    { reason: 'stalled', code: 3 },
    { reason: 'provider-refused', code: 3 },
  ] as const)('of a Turn that ended $reason is $code', ({ reason, code }) => {
    expect(exitCodeOfEnd(reason)).toBe(code)
  })

  it('of a failure is 2 when the caller has to put it differently, else 1', () => {
    expect(exitCodeOfError(new TurnstepError('invalid-config', ''))).toBe(2)
    expect(exitCodeOfError(new TurnstepError('invalid-input', ''))).toBe(2)
    expect(exitCodeOfError(new TurnstepError('temporal-unavailable', ''))).toBe(1)
    expect(exitCodeOfError(new Error('a bug'))).toBe(1)
  })
})
