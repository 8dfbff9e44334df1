import { describe, expect, it } from 'vitest'
import { describeCall } from '../../../src/cli/output/describe-call.ts'

describe('describeCall', () => {
  it.each([
    { args: '{}', shown: 'grep' },
    {
      args: '{"pattern":"a b","extension":".md","limit":3}',
      shown: 'grep pattern="a b" extension=.md limit=3',
    },
    { args: '{"pattern":""}', shown: 'grep pattern=""' },
    { args: '{"list":[1,2],"nothing":null}', shown: 'grep list=[1,2] nothing=null' },
    { args: 'not JSON', shown: 'grep not JSON' },
    { args: '"text"', shown: 'grep "text"' },
    { args: '{"a":"\\u001b[31mred\\nblue"}', shown: 'grep a="red blue"' },
  ])('shows $args as a short line', ({ args, shown }) => {
    expect(describeCall('grep', args)).toBe(shown)
  })

  it('cuts what is long', () => {
    const shown = describeCall(
      't'.repeat(100),
      JSON.stringify({ a: 'x'.repeat(1_000), b: 'y'.repeat(1_000), c: 1 }),
    )
    expect(shown.length).toBeLessThanOrEqual(160)
    expect(shown).toMatch(/^t{63}… a=x{39}… b=y{39}… c=1$/)
  })
})
