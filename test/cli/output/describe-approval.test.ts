import { describe, expect, it } from 'vitest'
import { describeWaiting } from '../../../src/cli/output/describe-approval.ts'

describe('describeWaiting', () => {
  it('shows all that a decision is about, also what a terminal would not show', () => {
    const diff = '@@ -0,0 +1 @@\n+  echo a\u001b]0;rm -rf b\u0007\n'
    expect(
      describeWaiting({
        kind: 'call',
        callId: 'c1_1_0',
        tool: 'write_file',
        arguments: JSON.stringify({ path: 'a\u202Etxt.sh', text: '\u{E0101}' }),
        argumentsDigest: 'd',
        risk: 'high',
        expiresAt: '2026-01-01T00:00:00.000Z',
        preview: { kind: 'diff', path: 'a', diff },
        turnId: 'f1',
        step: 1,
      }),
    ).toEqual([
      '? write_file waits for approval: c1_1_0, risk high, until 2026-01-01T00:00:00.000Z',
      '    path: "a[U+202E]txt.sh"',
      '    text: "[U+E0101]"',
      '    @@ -0,0 +1 @@',
      '    +  echo a[U+001B]]0;rm -rf b[U+0007]',
    ])
  })
})
