import { describe, expect, it } from 'vitest'
import { callTools, say, serverError } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { receiptsIn, sharedWorld } from '../support/conversations.ts'

const runs: string[] = []
const input = { type: 'object' } as const

/** What a tool does once it is told that its time is over. */
const SLOW: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
  ignores: () => new Promise(() => undefined),
  returns: (signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('half of it'), { once: true })),
  throws: (signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('I was stopped.')), { once: true }),
    ),
}

const cases = sharedWorld({
  limits: { maxModelAttempts: 3 },
  tools: [
    ...Object.entries(SLOW).flatMap(([name, run]) => [
      defineTool({
        name: `read-${name}`,
        description: 'Is slow.',
        effect: 'read',
        timeoutMs: 200,
        input,
        run: (_args, { signal }) => run(signal),
      }),
      defineTool({
        name: `send-${name}`,
        description: 'Is slow.',
        effect: 'once',
        timeoutMs: 200,
        input,
        run: (_args, { signal, session }) => {
          runs.push(session.session)
          return run(signal)
        },
      }),
    ]),
    defineTool({
      name: 'send',
      description: 'Sends.',
      effect: 'once',
      input,
      run: (_args, { session }) => {
        runs.push(session.session)
        return 'sent'
      },
    }),
  ],
})

describe.concurrent('the time of a tool', () => {
  it.each([
    ['read-ignores', /^Timed out after 200 ms .* nothing was changed/],
    ['read-returns', /^Timed out after 200 ms/],
    ['read-throws', /^Timed out after 200 ms/],
    ['send-ignores', /^Timed out after 200 ms .* may or may not have taken effect/],
    ['send-returns', /^Timed out after 200 ms/],
    ['send-throws', /^Timed out after 200 ms/],
  ] as const)('B04: when it is over, is an error for %s and no success', async (tool, text) => {
    const talk = cases.open(callTools({ tool }), say('It took too long.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'It took too long.' })
    const receipt = (await talk.log()).find(({ type }) => type === 'tool/result')
    expect(receipt).toMatchObject({ kind: 'timed-out', isError: true })
    expect(receiptsIn(talk.requests[1])).toEqual([expect.stringMatching(text)])
    expect(runs.filter((session) => session === talk.session.id).length).toBe(tool.startsWith('send') ? 1 : 0)
  })

  it('B26: once it has run, it does not run again because the next model call fails', async () => {
    const talk = cases.open(callTools({ tool: 'send' }), serverError(), serverError(), say('Sent.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Sent.', steps: 2 })
    expect(runs.filter((session) => session === talk.session.id)).toHaveLength(1)
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
  })

  it('B26: its result is there for the next Turn when the next model call fails for good', async () => {
    const talk = cases.open(callTools({ tool: 'send' }), serverError(), serverError(), serverError())
    expect(await talk.run()).toMatchObject({ reason: 'error', handBack: { done: ['Ran send.'] } })
    talk.enqueue(say('It was sent.'))
    await talk.session.followup('Was it sent?', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'It was sent.' })
    expect(receiptsIn(talk.requests[4])).toEqual(['sent'])
    expect(runs.filter((session) => session === talk.session.id)).toHaveLength(1)
  })
})
