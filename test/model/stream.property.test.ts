import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call, calls, chunk, eventStream, readPieces, usage } from './support/read-stream.ts'

const encoder = new TextEncoder()

describe('any cutting of the same stream', () => {
  const delta = fc.oneof(
    fc.record({ content: fc.string({ unit: 'binary', maxLength: 12 }) }),
    fc.record({ reasoning_content: fc.string({ unit: 'grapheme', maxLength: 12 }) }),
    fc
      .record({ index: fc.nat(2), text: fc.string({ maxLength: 8 }) })
      .map(({ index, text }) =>
        calls(call({ index, id: `id${index}`, name: `tool${index}`, args: JSON.stringify({ text }) })),
      ),
  )
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

  it('assembles to the same response, which the deltas add up to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(delta, { maxLength: 8 }),
        lineEnd,
        fc.array(fc.nat(400), { maxLength: 12 }),
        async (deltas, end, cuts) => {
          const stream = eventStream(...deltas.map((item) => chunk(item)), chunk({}, 'stop'), {
            choices: [],
            usage: usage(1, 1),
          })
          const bytes = encoder.encode(stream.replaceAll('\n', end))
          const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
          const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
          const whole = await readPieces([bytes])
          const cut = await readPieces(pieces)
          expect(cut.response).toEqual(whole.response)
          expect(cut.deltas.map(({ text = '' }) => text).join('')).toBe(cut.response.text)
          expect(cut.deltas.map(({ reasoning = '' }) => reasoning).join('')).toBe(
            cut.response.reasoning?.text ?? '',
          )
          expect(cut.response.text.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('loses no argument text, whatever the fragments and what the server says of them', async () => {
    const fragment = fc.record({
      index: fc.option(fc.nat(2), { nil: undefined }),
      id: fc.option(fc.constantFrom('a', 'b', ''), { nil: undefined }),
      name: fc.option(fc.constantFrom('add', 'mul', 'ad'), { nil: undefined }),
      args: fc.constantFrom('', '{', '}', '{}', '"', '\\', '{"x":1}', 'x', ' '),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { minLength: 1, maxLength: 10 }), async (fragments) => {
        const stream = eventStream(
          ...fragments.map(({ index, id, name, args }) =>
            chunk(
              calls(
                call({
                  args,
                  ...(index === undefined ? {} : { index }),
                  ...(id === undefined ? {} : { id }),
                  ...(name === undefined ? {} : { name }),
                }),
              ),
            ),
          ),
        )
        const { response } = await readPieces([stream])
        const sent = fragments.map(({ args }) => args).join('')
        const letters = (text: string) => [...text.replaceAll(' ', '')].sort().join('')
        expect(letters(response.calls.map((found) => found.argumentsText).join(''))).toBe(letters(sent))
      }),
      { numRuns: 100 },
    )
  })
})
