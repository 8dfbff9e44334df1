import { describe, expect, it } from 'vitest'
import type { EventOf } from '../../src/core/event.ts'
import type { SpillNote } from '../../src/core/spill.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, receiptsIn, sharedWorld } from '../support/conversations.ts'

/** 20,000 lines, 1 MB, of which one says what went wrong. */
const LOG = Array.from({ length: 20_000 }, (_, index) =>
  index === 12_345
    ? 'error: the disk is full'
    : `${String(index + 1).padStart(6, '0')} all is well, nothing to see here, go on`,
).join('\n')

const runs: string[] = []

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007)
}

const kinds: Readonly<Record<string, () => unknown>> = {
  text: () => LOG,
  stream: () => inPieces(LOG),
  emoji: () => '👍🏽 '.repeat(100_000),
  binary: () => inPieces(`\u007fELF\0${'x'.repeat(500_000)}`),
  'late NUL': () => inPieces(`${'x'.repeat(500_000)}\0`),
  broken: async function* () {
    yield LOG.slice(0, 500_000)
    throw new Error('The connection was lost.')
  },
}

const cases = sharedWorld({
  tools: [
    defineTool({
      name: 'noisy',
      description: 'Returns much.',
      effect: 'once',
      input: { type: 'object', properties: { kind: { type: 'string' } } },
      run: (args, { session }) => {
        const { kind } = args as { readonly kind: string }
        runs.push(`${session.session} ${kind}`)
        return kinds[kind]?.()
      },
    }),
    defineTool({
      name: 'slow',
      description: 'Begins well and does not end.',
      effect: 'read',
      timeoutMs: 300,
      input: { type: 'object' },
      run: async function* () {
        yield 'The beginning.'
        await new Promise(() => undefined)
      },
    }),
  ],
  limits: { spillQuotaBytes: 1_500_000 },
})

async function resultsOf(talk: Conversation): Promise<readonly EventOf<'tool/result'>[]> {
  return (await talk.log()).filter((event) => event.type === 'tool/result')
}

/** Runs `noisy`, and tells what was spilled. */
async function spillOf(talk: Conversation): Promise<SpillNote | undefined> {
  const [result] = await resultsOf(talk)
  return result?.spill
}

const noisy = (kind: string) => callTools({ tool: 'noisy', arguments: { kind } })

describe.concurrent('large results', () => {
  it.each(['text', 'stream'])(
    'B48, B68: one of 1 MB (%s) is cut, kept, searched and read, and its tool runs once',
    async (kind) => {
      const talk = cases.open(noisy(kind), say('It is long.'))
      expect(await talk.run()).toMatchObject({ reason: 'completed' })
      const [receipt = ''] = receiptsIn(talk.requests[1])
      expect(receipt.length).toBeLessThanOrEqual(4_000)
      expect(receipt).toMatch(/^000001 all is well/)
      expect(receipt).toMatch(
        /\n020000 all is well, nothing to see here, go on\n\[The whole output is kept as spill/,
      )
      const spill = await spillOf(talk)
      expect(spill).toEqual({ id: expect.any(String), bytes: 939_976, lines: 20_000 })
      const id = spill?.id ?? ''

      talk.enqueue(
        callTools({ tool: 'grep_spill', arguments: { spill: id, pattern: '^error', context: 1 } }),
        callTools({ tool: 'read_spill', arguments: { spill: id, from: 12_345, lines: 2 } }),
        say('The disk is full.'),
      )
      await talk.session.followup('What went wrong?', { id: 'f2' })
      expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'The disk is full.' })
      const [, found, read] = receiptsIn(talk.requests[4])
      expect(JSON.parse(found ?? '')).toEqual({
        matches: [
          {
            line: 12_346,
            column: 1,
            text: 'error: the disk is full',
            before: ['012345 all is well, nothing to see here, go on'],
            after: ['012347 all is well, nothing to see here, go on'],
          },
        ],
        total: 1,
      })
      expect(JSON.parse(read ?? '')).toEqual({
        totalLines: 20_000,
        from: 12_345,
        text: '012345 all is well, nothing to see here, go on\nerror: the disk is full',
        nextFrom: 12_347,
      })
      expect(runs.filter((run) => run.startsWith(talk.session.id))).toEqual([`${talk.session.id} ${kind}`])
      expect((await resultsOf(talk)).map((result) => result.spill === undefined)).toEqual([false, true, true])
      const { historySize } = await cases.world.temporal.workflow.getHandle(talk.workflowId).describe()
      expect(historySize).toBeLessThan(40_000)
    },
  )

  it('a human reads and searches a spill', async () => {
    const talk = cases.open(noisy('text'), say('It is long.'))
    await talk.run()
    const { id = '' } = (await spillOf(talk)) ?? {}
    expect(await talk.session.spill(id, { from: 12_346, lines: 1 })).toEqual({
      id,
      bytes: 939_976,
      lines: 20_000,
      text: 'error: the disk is full\n',
      next: { line: 12_346, column: 0 },
    })
    expect(await talk.session.spill(id, { grep: 'err.r' })).toEqual({
      matches: [{ line: 12_346, column: 1, text: 'error: the disk is full' }],
      total: 1,
    })
  })

  it('a spill of another Session is not there, for models and for humans', async () => {
    const one = cases.open(noisy('text'), say('It is long.'))
    await one.run()
    const { id = '' } = (await spillOf(one)) ?? {}
    const two = cases.open(
      callTools(
        { tool: 'read_spill', arguments: { spill: id } },
        { tool: 'grep_spill', arguments: { spill: id, pattern: '.' } },
      ),
      say('Nothing there.'),
    )
    await two.run()
    expect(receiptsIn(two.requests[1])).toEqual([
      expect.stringContaining(`This session has no spill ${id}`),
      expect.stringContaining(`This session has no spill ${id}`),
    ])
    await expect(two.session.spill(id)).rejects.toMatchObject({ code: 'spill-not-found' })
  })

  it('B50: one of emoji stays well formed in every request', async () => {
    const talk = cases.open(noisy('emoji'), say('Nice.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed' })
    const [receipt = ''] = receiptsIn(talk.requests[1])
    expect(receipt.isWellFormed()).toBe(true)
    expect(receipt).not.toContain('\uFFFD')
    expect(receipt).toMatch(/^(👍🏽 )+/u)
  })

  it.each([
    ['binary', 'binary, 500005 bytes'],
    ['late NUL', 'binary, 500001 bytes'],
  ])('B52: one that is binary (%s) is told by its size, and the Session goes on', async (kind, content) => {
    const talk = cases.open(noisy(kind), say('Binary, then.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Binary, then.' })
    expect(receiptsIn(talk.requests[1])).toEqual([content])
    expect(await spillOf(talk)).toBe(undefined)
  })

  it('B54: one that breaks off is a failure that keeps both ends of what came', async () => {
    const talk = cases.open(noisy('broken'), say('It broke.'))
    await talk.run()
    expect(await talk.receipts()).toEqual(['c1_1_0 failed'])
    const [receipt = ''] = receiptsIn(talk.requests[1])
    expect(receipt).toMatch(/^Error: The connection was lost\./)
    expect(receipt).toMatch(
      /What it returned before that:\n000001 all is well[\s\S]+characters omitted[\s\S]+all is we/,
    )
    expect(await spillOf(talk)).toBe(undefined)
  })

  it('one that does not end keeps what came within its time', async () => {
    const talk = cases.open(callTools({ tool: 'slow' }), say('Too slow.'))
    await talk.run()
    expect(await talk.receipts()).toEqual(['c1_1_0 timed-out'])
    expect(receiptsIn(talk.requests[1])[0]).toMatch(
      /^Timed out after 300 ms[\s\S]+What it returned before that:\nThe beginning\.$/,
    )
  })

  it('one beyond the quota is cut, and says that it was not kept', async () => {
    const talk = cases.open(noisy('text'), noisy('emoji'), say('Enough.'))
    await talk.run()
    const spills = (await resultsOf(talk)).map(({ spill }) => spill?.bytes)
    expect(spills).toEqual([939_976, undefined])
    expect(receiptsIn(talk.requests[2])[1]).toContain("this session's spills have used up their quota")
  })
})
