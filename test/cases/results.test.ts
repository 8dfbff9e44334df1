import { describe, expect, it } from 'vitest'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { receiptsIn, sharedWorld } from '../support/conversations.ts'

const cycle: { self?: unknown } = {}
cycle.self = cycle

/** What the tool `give` returns, by the name that it is called with. */
const VALUES: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'an empty text': '',
  'a blank text': '  \n ',
  zero: 0,
  false: false,
  NaN: Number.NaN,
  'an object': { a: 1, b: undefined },
  'an empty list': [],
  'a date': new Date(0),
  'a map': new Map([['a', 1]]),
  bytes: new Uint8Array(3),
  'a text with NUL': 'a\0b',
  'half a pair': 'x\ud83d',
  'a cycle': cycle,
  'a bigint': 10n,
  'a function': () => 1,
  'a symbol': Symbol('x'),
  'a throwing getter': {
    get broken(): never {
      throw new Error('no')
    },
  },
}

/** What the tool `fail` throws. */
const ERRORS: Readonly<Record<string, unknown>> = {
  'an error': new Error('It broke.'),
  'an error of many megabytes': new Error('x'.repeat(5_000_000)),
  'a text': 'It broke.',
  undefined: undefined,
  null: null,
  'an error that cannot be read': Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('no')
    },
  }),
  'an abort of its own': new DOMException('The operation was aborted', 'AbortError'),
}

const runs: string[] = []
const note = (session: string, what: string): void => {
  runs.push(`${session} ${what}`)
}
const byName = { type: 'object', properties: { name: { type: 'string' } } } as const
const nameIn = (args: unknown): string => (args as { readonly name: string }).name

const cases = sharedWorld({
  tools: [
    defineTool({
      name: 'give',
      description: 'Returns a value.',
      effect: 'read',
      input: byName,
      run: (args) => VALUES[nameIn(args)],
    }),
    defineTool({
      name: 'fail',
      description: 'Fails.',
      effect: 'once',
      input: byName,
      run: (args, { session }) => {
        note(session.session, nameIn(args))
        throw ERRORS[nameIn(args)]
      },
    }),
    defineTool({
      name: 'large',
      description: 'Returns much.',
      effect: 'once',
      input: { type: 'object', properties: { shape: { type: 'string' } } },
      run: (args, { session }) => {
        const { shape } = args as { readonly shape: string }
        note(session.session, shape)
        const line = 'All work and no play makes a long result. '
        if (shape === 'list') return Array.from({ length: 100_000 }, (_, index) => ({ index, line }))
        return `HEAD ${line.repeat(120_000)} TAIL`
      },
    }),
  ],
})

describe.concurrent('results of tools', () => {
  it('B42: each is a text for the model, whatever was returned', async () => {
    const names = Object.keys(VALUES)
    const talk = cases.open(
      callTools(...names.map((name) => ({ tool: 'give', arguments: { name } }))),
      say('Thanks.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Thanks.' })
    const receipts = receiptsIn(talk.requests[1])
    expect(receipts).toHaveLength(names.length)
    expect(
      receipts.filter((text) => text.trim() === '' || !text.isWellFormed() || text.includes('\0')),
    ).toEqual([])
    expect(receipts.slice(0, 10)).toEqual([
      '(no output)',
      '(no output)',
      '(no output)',
      '(no output)',
      '0',
      'false',
      'NaN',
      '{"a":1}',
      '[]',
      '"1970-01-01T00:00:00.000Z"',
    ])
  })

  it('B42: one that has no text is an error receipt, not a crash', async () => {
    const names = ['a cycle', 'a bigint', 'a function', 'a symbol', 'a throwing getter']
    const talk = cases.open(
      callTools(...names.map((name) => ({ tool: 'give', arguments: { name } }))),
      say('Sorry.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed' })
    expect([...(await talk.receipts())].sort()).toEqual([
      'c1_1_0 failed',
      'c1_1_1 failed',
      'c1_1_2 failed',
      'c1_1_3 failed',
      'c1_1_4 failed',
    ])
    expect(receiptsIn(talk.requests[1])[0]).toMatch(
      /^The tool ran, but what it returned cannot be turned into/,
    )
  })

  it('B10: a failure leaves its siblings alone, and nothing runs twice', async () => {
    const talk = cases.open(
      callTools(
        { tool: 'give', arguments: { name: 'zero' } },
        { tool: 'fail', arguments: { name: 'an error' } },
        { tool: 'give', arguments: { name: 'an object' } },
      ),
      say('Two of three.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Two of three.', steps: 2 })
    expect([...(await talk.receipts())].sort()).toEqual(['c1_1_0 ok', 'c1_1_1 failed', 'c1_1_2 ok'])
    expect(receiptsIn(talk.requests[1])).toEqual([
      '0',
      expect.stringMatching(/^Error: It broke\./),
      '{"a":1}',
    ])
    expect(runs.filter((run) => run.startsWith(talk.session.id))).toEqual([`${talk.session.id} an error`])
  })

  it('B10: each of several failures has its receipt, whatever was thrown', async () => {
    const names = Object.keys(ERRORS)
    const talk = cases.open(
      callTools(...names.map((name) => ({ tool: 'fail', arguments: { name } }))),
      say('All failed.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'All failed.' })
    const receipts = receiptsIn(talk.requests[1])
    expect(receipts).toHaveLength(names.length)
    expect(receipts.filter((text) => text.trim() === '' || text.length > 1_000)).toEqual([])
    expect(runs.filter((run) => run.startsWith(talk.session.id))).toHaveLength(names.length)
  })

  it.each(['text', 'list'])(
    'B68: one of several megabytes (%s) is bounded, and its tool runs once',
    async (shape) => {
      const talk = cases.open(callTools({ tool: 'large', arguments: { shape } }), say('That was much.'))
      expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'That was much.' })
      expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
      const [receipt = ''] = receiptsIn(talk.requests[1])
      expect(receipt.length).toBeLessThanOrEqual(4_000)
      expect(receipt).toMatch(/\d+ characters omitted/)
      expect(runs.filter((run) => run.startsWith(talk.session.id))).toEqual([`${talk.session.id} ${shape}`])
      const description = await cases.world.temporal.workflow.getHandle(talk.workflowId).describe()
      expect(description.historySize).toBeLessThan(20_000)
    },
  )
})
