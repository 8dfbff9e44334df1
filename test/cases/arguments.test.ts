import { describe, expect, it } from 'vitest'
import { callTools, rawEvents, type ScriptedAnswer, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, callsIn, receiptsIn, sharedWorld } from '../support/conversations.ts'

/** Arguments of each run of a tool, by Session. */
const runs: { readonly session: string; readonly tool: string; readonly args: unknown }[] = []

const recorder = (name: string, input: Readonly<Record<string, unknown>>) =>
  defineTool({
    name,
    description: 'Records.',
    effect: 'read',
    input: { type: 'object', ...input },
    run: (args, { session }) => {
      runs.push({ session: session.session, tool: name, args })
      return `${name} ran`
    },
  })

const cases = sharedWorld({
  tools: [
    recorder('now', { properties: {}, additionalProperties: false }),
    recorder('search', {
      properties: { query: { type: 'string' }, page: { type: 'number' } },
      required: ['query'],
      additionalProperties: false,
    }),
  ],
})

const runsOf = ({ session }: Conversation): readonly string[] =>
  runs.filter((run) => run.session === session.id).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`)

/** A stream with one call whose deltas are these, and a good end. */
function streamedCall(...deltas: readonly Readonly<Record<string, unknown>>[]): ScriptedAnswer {
  const chunk = (delta: unknown, finish: string | null) => ({
    id: 'chatcmpl-raw',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  return rawEvents(
    ...deltas.map((delta) => chunk({ tool_calls: [delta] }, null)),
    chunk({}, 'tool_calls'),
    '[DONE]',
  )
}

describe.concurrent('arguments of tool calls', () => {
  it.for(['', ' ', '\n\t '])('B30: %j means an empty object', async (argumentsText) => {
    const talk = cases.open(callTools({ tool: 'now', arguments: argumentsText }), say('Noon.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Noon.' })
    expect(runsOf(talk)).toEqual(['now {}'])
    expect(callsIn(talk.requests[1])).toEqual(['now {}'])
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
  })

  it('B30: that never come mean an empty object', async () => {
    const talk = cases.open(
      streamedCall({ index: 0, id: 'call_a', type: 'function', function: { name: 'now' } }),
      say('Noon.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed' })
    expect(runsOf(talk)).toEqual(['now {}'])
  })

  it.for(['', '   '])('B30: %j, where fields are required, goes back to the model', async (text) => {
    const talk = cases.open(
      callTools({ tool: 'search', arguments: text }),
      callTools({ tool: 'search', arguments: { query: 'x' } }),
      say('Found.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', steps: 3 })
    expect(runsOf(talk)).toEqual(['search {"query":"x"}'])
    expect(callsIn(talk.requests[1])).toEqual(['search {}'])
    expect(receiptsIn(talk.requests[1])[0]).toContain('query')
    expect(await talk.receipts()).toEqual(['c1_1_0 invalid-arguments', 'c1_2_0 ok'])
  })

  it.for(['null', '""', '[]', '[{"query":"x"}]', 'true', '{"query":', '{query:"x"}', 'undefined'])(
    'B30: %j, which is no object, goes back to the model',
    async (text) => {
      const talk = cases.open(callTools({ tool: 'search', arguments: text }), say('Sorry.'))
      expect(await talk.run()).toMatchObject({ reason: 'completed', steps: 2 })
      expect(runsOf(talk)).toEqual([])
      expect(await talk.receipts()).toEqual(['c1_1_0 invalid-arguments'])
    },
  )

  it.for([
    ['{"query":"a"}{"query":"b"}', ['search {"query":"a"}', 'search {"query":"b"}']],
    [
      '{"query":"a"}\n {"query":"b"}{"query":"c"}',
      ['search {"query":"a"}', 'search {"query":"b"}', 'search {"query":"c"}'],
    ],
    ['{"query":"}{"}', ['search {"query":"}{"}']],
    ['{"query":"\\"}{\\""}{"query":"b"}', ['search {"query":"\\"}{\\""}', 'search {"query":"b"}']],
  ] as const)('B32: %s holds objects that are split without loss', async ([text, expected]) => {
    const talk = cases.open(callTools({ tool: 'search', arguments: text }), say('Found.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', steps: 2 })
    expect([...runsOf(talk)].sort()).toEqual([...expected].sort())
    expect(callsIn(talk.requests[1])).toEqual(expected)
    const ids =
      talk.requests[1]?.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)) ?? []
    expect(new Set(ids).size).toBe(expected.length)
  })

  it.for(['{"query":"a"}{"query":', '{"query":"a"} and {"query":"b"}', '{"query":"a"}]', '{}{"query":"a"}x'])(
    'B32: %s is not run with anything that nobody asked for',
    async (text) => {
      const talk = cases.open(callTools({ tool: 'search', arguments: text }), say('Sorry.'))
      expect(await talk.run()).toMatchObject({ reason: 'completed', steps: 2 })
      expect(runsOf(talk)).toEqual([])
      expect(await talk.receipts()).toEqual(['c1_1_0 invalid-arguments'])
    },
  )

  it('B32: two calls that stream under one index stay two', async () => {
    const talk = cases.open(
      streamedCall(
        {
          index: 0,
          id: 'call_a',
          type: 'function',
          function: { name: 'search', arguments: '{"query":"a"}' },
        },
        {
          index: 0,
          id: 'call_b',
          type: 'function',
          function: { name: 'search', arguments: '{"query":"b"}' },
        },
      ),
      say('Found.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', steps: 2 })
    expect(callsIn(talk.requests[1])).toEqual(['search {"query":"a"}', 'search {"query":"b"}'])
  })

  it.for(['serach', 'Search', 'search ', 'toString', '__proto__', 'constructor', 'sea/rch', 'x'.repeat(100)])(
    'B36: an unknown tool %j gets an error receipt while its sibling runs',
    async (tool) => {
      const talk = cases.open(
        callTools({ tool, arguments: { query: 'x' } }, { tool: 'search', arguments: { query: 'y' } }),
        say('Found one.'),
      )
      expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Found one.' })
      expect(runsOf(talk)).toEqual(['search {"query":"y"}'])
      expect(await talk.receipts()).toEqual(['c1_1_0 unknown-tool', 'c1_1_1 ok'])
      expect(receiptsIn(talk.requests[1])[0]).toContain('search')
    },
  )
})
