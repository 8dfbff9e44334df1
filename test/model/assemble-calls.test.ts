import { describe, expect, it } from 'vitest'
import { call, calls, chunk, eventStream, readDeltas, readPieces } from './support/read-stream.ts'

const whole = (tool: string, argumentsText: string) => ({ tool, argumentsText, isWhole: true })
const cut = (tool: string, argumentsText: string) => ({ tool, argumentsText, isWhole: false })

describe('calls out of deltas', () => {
  it.each([
    {
      what: 'as OpenAI sends them, interleaved',
      deltas: [
        calls(call({ index: 0, id: 'a', name: 'add', args: '' })),
        calls(call({ index: 0, args: '{"x":' })),
        calls(call({ index: 1, id: 'b', name: 'mul', args: '' })),
        calls(call({ index: 0, args: '1}' }), call({ index: 1, args: '{"y":2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('mul', '{"y":2}')],
    },
    {
      what: 'a whole call in one delta',
      deltas: [calls(call({ index: 0, id: 'a', name: 'add', args: '{"x":1}' }))],
      expected: [whole('add', '{"x":1}')],
    },
    {
      what: 'several whole calls in one delta',
      deltas: [
        calls(
          call({ index: 0, id: 'a', name: 'add', args: '{"x":1}' }),
          call({ index: 1, id: 'b', name: 'add', args: '{"x":2}' }),
        ),
      ],
      expected: [whole('add', '{"x":1}'), whole('add', '{"x":2}')],
    },
    {
      what: 'without an index, told apart by id',
      deltas: [
        calls(call({ id: 'a', name: 'add', args: '{"x":' })),
        calls(call({ args: '1}' })),
        calls(call({ id: 'b', name: 'mul', args: '{"y":2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('mul', '{"y":2}')],
    },
    {
      what: 'without an index, interleaved by id',
      deltas: [
        calls(call({ id: 'a', name: 'add', args: '{"x":' })),
        calls(call({ id: 'b', name: 'mul', args: '{"y":' })),
        calls(call({ id: 'a', args: '1}' })),
        calls(call({ id: 'b', args: '2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('mul', '{"y":2}')],
    },
    {
      what: 'without index and id, one after the other',
      deltas: [
        calls(call({ name: 'add', args: '{"x":1}' })),
        calls(call({ name: 'mul', args: '{"y":' })),
        calls(call({ args: '2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('mul', '{"y":2}')],
    },
    {
      what: 'without index and id, side by side in one delta',
      deltas: [calls(call({ name: 'now' }), call({ name: 'now' }))],
      expected: [whole('now', ''), whole('now', '')],
    },
    {
      what: 'with an index that is not raised, told apart by id',
      deltas: [
        calls(call({ index: 0, id: 'a', name: 'add', args: '{"x":1}' })),
        calls(call({ index: 0, id: 'b', name: 'add', args: '{"x":2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('add', '{"x":2}')],
    },
    {
      what: 'B38: with one constant id and an index that is not raised',
      deltas: [
        calls(call({ index: 0, id: 'call_1', name: 'add', args: '{"x":1}' })),
        calls(call({ index: 0, id: 'call_1', name: 'add', args: '{"x":2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('add', '{"x":2}')],
    },
    {
      what: 'B38: with one constant id and a raised index',
      deltas: [
        calls(call({ index: 0, id: 'call_1', name: 'add', args: '{"x":1}' })),
        calls(call({ index: 1, id: 'call_1', name: 'mul', args: '{"y":2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('mul', '{"y":2}')],
    },
    {
      what: 'with empty ids',
      deltas: [
        calls(call({ index: 0, id: '', name: 'add', args: '{"x":1}' })),
        calls(call({ index: 1, id: '', name: 'mul', args: '{"y":2}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('mul', '{"y":2}')],
    },
    {
      what: 'with a fresh id in every delta of one call',
      deltas: [
        calls(call({ index: 0, id: 'r1', name: 'add', args: '{"x"' })),
        calls(call({ index: 0, id: 'r2', name: 'add', args: ':1}' })),
      ],
      expected: [whole('add', '{"x":1}')],
    },
    {
      what: 'with null where nothing is said',
      deltas: [
        calls(call({ index: 0, id: 'a', name: 'add', args: null })),
        calls(call({ index: 0, id: null, name: null, args: '{}' })),
      ],
      expected: [whole('add', '{}')],
    },
    {
      what: 'with the name repeated in every delta',
      deltas: [
        calls(call({ index: 0, id: 'a', name: 'add', args: '' })),
        calls(call({ index: 0, name: 'add', args: '{"x":' })),
        calls(call({ index: 0, name: 'add', args: '1}' })),
        calls(call({ index: 0, name: 'add', args: '' })),
      ],
      expected: [whole('add', '{"x":1}')],
    },
    {
      what: 'with the name in pieces',
      deltas: [
        calls(call({ index: 0, id: 'a', name: 'get_', args: '' })),
        calls(call({ index: 0, name: 'weather', args: '' })),
        calls(call({ index: 0, args: '{}' })),
      ],
      expected: [whole('get_weather', '{}')],
    },
    {
      what: 'with a name that grows',
      deltas: [
        calls(call({ index: 0, id: 'a', name: 'get_' })),
        calls(call({ index: 0, name: 'get_weather', args: '{}' })),
      ],
      expected: [whole('get_weather', '{}')],
    },
    {
      what: 'B30: with empty arguments',
      deltas: [calls(call({ index: 0, id: 'a', name: 'now', args: '' }))],
      expected: [whole('now', '')],
    },
    {
      what: 'with arguments as an object',
      deltas: [calls(call({ index: 0, id: 'a', name: 'add', args: { x: 1 } }))],
      expected: [whole('add', '{"x":1}')],
    },
    {
      what: 'without a name',
      deltas: [calls(call({ index: 0, id: 'a', args: '{}' }))],
      expected: [whole('', '{}')],
    },
    { what: 'that say nothing at all', deltas: [calls({}, { index: 0 }, 'text', null)], expected: [] },
    { what: 'as an empty list or null', deltas: [calls(), { tool_calls: null }], expected: [] },
    {
      what: 'in the legacy field',
      deltas: [
        { function_call: { name: 'add', arguments: '' } },
        { function_call: { arguments: '{"x":' } },
        { function_call: { arguments: '1}' } },
      ],
      expected: [whole('add', '{"x":1}')],
    },
    {
      what: 'in the legacy field and the present one',
      deltas: [
        {
          ...(calls(call({ index: 0, id: 'a', name: 'add', args: '{}' })) as object),
          function_call: { name: 'add', arguments: '{}' },
        },
      ],
      expected: [whole('add', '{}')],
    },
    {
      what: 'B32: as several objects in one text, split',
      deltas: [
        calls(call({ index: 0, id: 'a', name: 'add', args: '{"x":1}' })),
        calls(call({ index: 0, args: '{"x":2} \n{"x":3}' })),
      ],
      expected: [whole('add', '{"x":1}'), whole('add', '{"x":2}'), whole('add', '{"x":3}')],
    },
    {
      what: 'B32: with braces and quotes inside strings, not split there',
      deltas: [calls(call({ index: 0, id: 'a', name: 'say', args: '{"t":"}{ \\"}{"}{"t":"\\\\"}' }))],
      expected: [whole('say', '{"t":"}{ \\"}{"}'), whole('say', '{"t":"\\\\"}')],
    },
    {
      what: 'B32: as one malformed call when they cannot be split cleanly',
      deltas: [calls(call({ index: 0, id: 'a', name: 'add', args: '{"x":1},{"x":2}' }))],
      expected: [whole('add', '{"x":1},{"x":2}')],
    },
    {
      what: 'B32: as one call that is not whole when the last object is cut',
      deltas: [calls(call({ index: 0, id: 'a', name: 'add', args: '{"x":1}{"x":' }))],
      expected: [cut('add', '{"x":1}{"x":')],
    },
    {
      what: 'with arguments that are no JSON',
      deltas: [calls(call({ index: 0, id: 'a', name: 'add', args: 'x equals one' }))],
      expected: [whole('add', 'x equals one')],
    },
    {
      what: 'with arguments that never end',
      deltas: [calls(call({ index: 0, id: 'a', name: 'add', args: '{"x":"a' }))],
      expected: [cut('add', '{"x":"a')],
    },
  ])('come $what', async ({ deltas, expected }) => {
    expect((await readDeltas(deltas)).calls).toEqual(expected)
  })

  it('tells two tools without arguments apart by their names', async () => {
    const deltas = [
      calls(call({ index: 0, id: '', name: 'now', args: '' })),
      calls(call({ index: 0, id: '', name: 'here', args: '' })),
    ]
    const { calls: found } = await readDeltas(deltas, { tools: ['now', 'here'] })
    expect(found).toEqual([whole('now', ''), whole('here', '')])
  })

  it('joins the pieces of a name that is known only joined', async () => {
    const deltas = [
      calls(call({ index: 0, id: 'a', name: 'get' })),
      calls(call({ index: 0, name: 'getget', args: '{}' })),
    ]
    const { calls: found } = await readDeltas(deltas, { tools: ['getgetget'] })
    expect(found).toEqual([whole('getgetget', '{}')])
  })

  it.each(['length', 'content_filter', 'something_new', null])(
    'B34: says which calls were whole when the answer ends with %s',
    async (finish) => {
      const deltas = [
        calls(call({ index: 0, id: 'a', name: 'add', args: '{"x":1}' })),
        calls(call({ index: 1, id: 'b', name: 'now', args: '' })),
        calls(call({ index: 2, id: 'c', name: 'write', args: '{"text":"Once upon' })),
      ]
      const { calls: found } = await readDeltas(deltas, { finish })
      expect(found).toEqual([whole('add', '{"x":1}'), whole('now', ''), cut('write', '{"text":"Once upon')])
    },
  )

  it('B34: does not take a last call without arguments for whole when the answer was cut', async () => {
    const deltas = [calls(call({ index: 0, id: 'a', name: 'write', args: '' }))]
    expect((await readDeltas(deltas, { finish: 'length' })).calls).toEqual([cut('write', '')])
  })

  it('come in the message of the last chunk', async () => {
    const message = {
      role: 'assistant',
      content: 'Done.',
      tool_calls: [call({ id: 'a', name: 'add', args: '{"x":1}' })],
    }
    const stream = eventStream({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    const { response } = await readPieces([stream])
    expect(response).toMatchObject({ text: 'Done.', calls: [whole('add', '{"x":1}')], finish: 'tool_calls' })
  })

  it('are not doubled by a last chunk whose message repeats what has streamed', async () => {
    const message = {
      content: 'Hi',
      reasoning: 'Hm',
      tool_calls: [call({ id: 'a', name: 'add', args: '{}' })],
    }
    const stream = eventStream(
      chunk({ reasoning: 'Hm' }),
      chunk({ content: 'Hi' }),
      chunk(calls(call({ index: 0, id: 'a', name: 'add', args: '{}' }))),
      { choices: [{ index: 0, delta: {}, message, finish_reason: 'tool_calls' }] },
    )
    const { response } = await readPieces([stream])
    expect(response).toMatchObject({
      text: 'Hi',
      reasoning: { field: 'reasoning', text: 'Hm' },
      calls: [whole('add', '{}')],
    })
  })

  it('are announced once each, by their whole names', async () => {
    const stream = eventStream(
      chunk(calls(call({ index: 0, id: 'a', name: 'get_', args: '' }))),
      chunk(calls(call({ index: 0, name: 'time', args: '' }))),
      chunk(calls(call({ index: 0, args: '{' }))),
      chunk(calls(call({ index: 0, args: '}' }))),
      chunk(calls(call({ index: 1, id: 'b', name: 'now', args: '' }))),
      chunk({}, 'tool_calls'),
    )
    const { deltas } = await readPieces([stream], { tools: ['get_time', 'now'] })
    expect(deltas).toEqual([{ toolCall: 'get_time' }, { toolCall: 'now' }])
  })
})
