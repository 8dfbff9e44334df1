import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type FinalResult, Result } from '../../src/activities/finalize-result.ts'
import type { ResultTextOptions } from '../../src/core/result-text.ts'
import { MemorySpills } from '../support/memory-spills.ts'

const NEVER = new AbortController().signal

function open(more: Partial<ResultTextOptions> = {}) {
  const spills = new MemorySpills()
  const spill = { aboveBytes: 10_000, open: () => Promise.resolve(spills.begin()) }
  return { spills, result: new Result({ spill, ...more }) }
}

async function finalize(value: unknown, more: Partial<ResultTextOptions> = {}): Promise<FinalResult> {
  const { result } = open(more)
  return result.finalize(await result.receive(value, NEVER))
}

async function* items(...given: readonly unknown[]): AsyncGenerator {
  yield* given
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the result of a tool', () => {
  it.each([
    ['a text', 'fine', 'fine'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['nothing', undefined, '(no output)'],
    ['an empty text', '', '(no output)'],
    ['bytes', bytes('hello'), 'binary, 5 bytes'],
    ['a text with NUL', 'é\0', 'binary, 3 bytes'],
    ['a stream of texts', items('a', 'b'), 'ab'],
    ['a stream of bytes', items(bytes('grüß').subarray(0, 3), bytes('grüß').subarray(3)), 'grüß'],
    [
      'a stream of bytes that are not UTF-8',
      items(new Uint8Array([0x61, 0xff, 0xe2, 0x82])),
      'a\uFFFD\uFFFD',
    ],
    ['a stream of both', items(new Uint8Array([0xe2, 0x82]), 'a', bytes('b').buffer), '\uFFFDab'],
    ['a stream of binary data', items(bytes('%PDF'), new Uint8Array([0, 0xff, 0xfe])), 'binary, 7 bytes'],
    ['a stream of nothing', items(), '(no output)'],
    ['a Node.js stream', Readable.from([Buffer.from('a'), Buffer.from('b')]), 'ab'],
    ['a web stream', new Blob(['grüß']).stream(), 'grüß'],
  ])('is %s', async (_, value, content) => {
    expect(await finalize(value)).toEqual({ kind: 'ok', content })
  })

  it('lets others go on while a stream brings nothing, without end', async () => {
    const { result } = open()
    const endless = (async function* () {
      for (;;) yield new Uint8Array(0)
    })()
    await expect(result.receive(endless, AbortSignal.timeout(50))).rejects.toThrow('timeout')
  })

  it('is kept whole when it is large, as a value or as a stream', async () => {
    const lines = 'a line of a long log\n'.repeat(2_000)
    const whole = await finalize(lines)
    expect(whole).toMatchObject({ kind: 'ok', spill: { bytes: 42_000, lines: 2_000 } })
    expect(await finalize(Readable.from([lines.slice(0, 777), lines.slice(777)]))).toEqual(whole)
  })

  it('is unusable when it has no text, and says so without a secret', async () => {
    const secret = {
      toJSON: () => {
        throw new Error('SECRET')
      },
    }
    expect(await finalize(secret, { redact: (text) => text.replaceAll('SECRET', '[hidden]') })).toEqual({
      kind: 'unusable',
      content: expect.stringMatching(/^The tool ran, but .*\[hidden\].* has been done\.$/),
    })
  })

  it.each([
    ['a value', 'card 4111'],
    ['a stream', items('card 4111')],
  ])('is withheld when %s cannot be redacted', async (_, value) => {
    const redact = (): string => {
      throw new Error('card 4111 broke it')
    }
    expect(await finalize(value, { redact })).toEqual({
      kind: 'unusable',
      content: expect.stringMatching(/^The tool ran, but what it returned could not be redacted/),
    })
  })

  it('fails with what its stream fails with, and keeps what came before', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'the beginning'
      throw new Error('The line went dead.')
    }
    const { result } = open()
    await expect(result.receive(broken(), NEVER)).rejects.toThrow('The line went dead.')
    expect(await result.breakOff('Error: The line went dead.')).toBe(
      'Error: The line went dead.\n\nWhat it returned before that:\nthe beginning',
    )
  })

  it('refuses a stream of something else', async () => {
    const { result } = open()
    await expect(result.receive(items('a', 7), NEVER)).rejects.toThrow('has a number in it')
  })

  it('stops reading a stream that hangs once it is told to, lets it go, and drops its spill', async () => {
    const told: string[] = []
    const abort = new AbortController()
    const chunks = ['x'.repeat(300_000)]
    const hanging = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = chunks.shift()
          if (value !== undefined) return Promise.resolve({ done: false, value })
          abort.abort(new Error('stop'))
          return new Promise(() => undefined)
        },
        return: () => {
          told.push('return')
          return new Promise(() => undefined)
        },
      }),
    }
    const { result, spills } = open()
    await expect(result.receive(hanging, abort.signal)).rejects.toThrow('stop')
    expect(told).toEqual(['return'])
    expect(await result.breakOff('Stopped.')).toMatch(
      /^Stopped\.\n\nWhat it returned before that:\nx+\n\[… 297000 characters omitted …\]\nx+$/,
    )
    expect(spills.fates).toEqual(['dropped'])
  })
})
