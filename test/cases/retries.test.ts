import { describe, expect, it } from 'vitest'
import {
  callTools,
  cutAfter,
  malformedAfter,
  rateLimited,
  type ScriptedAnswer,
  say,
  serverError,
} from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, sharedWorld } from '../support/conversations.ts'

const runs: string[] = []
const cases = sharedWorld({
  limits: { maxModelAttempts: 3, maxRetryAfterMs: 5_000 },
  tools: [
    defineTool({
      name: 'flaky',
      description: 'Fails twice.',
      effect: 'read',
      retries: 2,
      input: { type: 'object' },
      run: (_args, { session, requestId }) => {
        runs.push(`${session.session} ${requestId}`)
        const own = runs.filter((run) => run.startsWith(session.session))
        if (own.length < 3) throw new Error('Not yet.')
        return 'at last'
      },
    }),
  ],
})

const limited = (headers: Readonly<Record<string, string>>): ScriptedAnswer => ({
  kind: 'status',
  status: 429,
  headers,
})

/** Milliseconds between the first request and the second. */
function gapOf(talk: Conversation): number {
  const [first, second] = talk.entries
  return (second?.receivedAt ?? 0) - (first?.answeredAt ?? 0)
}

describe.concurrent('retries of a model call', () => {
  it.each([
    ['a 500', serverError()],
    ['a 503', serverError(503)],
    ['a 429', rateLimited()],
    ['a stream that is cut', cutAfter(1, say(['Half ', 'of it.']))],
    ['a malformed chunk', malformedAfter(1, say(['Half ', 'of it.']))],
    ['an answer that is no protocol', { kind: 'raw', pieces: ['<html></html>'], contentType: 'text/html' }],
  ] as const)('B84: after %s are as many as the policy has, exactly', async (_what, fault) => {
    const talk = cases.open(fault, fault, fault)
    expect(await talk.run()).toMatchObject({ reason: 'error', steps: 1 })
    expect(talk.requests).toHaveLength(3)
    await talk.log()
  })

  it.each([400, 401, 403, 404, 422])('B84: after a %d are none', async (status) => {
    const talk = cases.open({ kind: 'status', status })
    expect(await talk.run()).toMatchObject({ reason: 'error' })
    expect(talk.requests).toHaveLength(1)
  })

  it('B84: start anew with each Step', async () => {
    const talk = cases.open(
      serverError(),
      serverError(),
      callTools({ tool: 'unknown' }),
      serverError(),
      serverError(),
      say('Well.'),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Well.', steps: 2 })
    expect(talk.requests).toHaveLength(6)
  })

  it.each([
    ['seconds', { 'retry-after': '2' }],
    ['milliseconds', { 'retry-after-ms': '2000' }],
    ["Azure's milliseconds", { 'x-ms-retry-after-ms': '2000', 'retry-after': '1' }],
    ['fractions of seconds', { 'retry-after': '2.0' }],
  ] as const)('B44: wait at least as long as Retry-After says in %s', async (_how, headers) => {
    const talk = cases.open(limited(headers), say('Now.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Now.' })
    expect(gapOf(talk)).toBeGreaterThanOrEqual(2_000)
    expect(talk.requests).toHaveLength(2)
  })

  it('B44: wait until the date that Retry-After names', async () => {
    const date = new Date(Date.now() + 4_000).toUTCString()
    const talk = cases.open(limited({ 'retry-after': date }), say('Now.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Now.' })
    expect(talk.entries[1]?.receivedAt).toBeGreaterThanOrEqual(Date.parse(date) - 1_000)
    expect(talk.requests).toHaveLength(2)
  })

  it.each([
    ['seconds', { 'retry-after': '6' }],
    ['an hour', { 'retry-after': '3600' }],
    ['milliseconds', { 'retry-after-ms': '600000' }],
  ] as const)(
    'B44: are given up at once where Retry-After says more than the cap, in %s',
    async (_how, headers) => {
      const talk = cases.open(limited(headers))
      expect(await talk.run()).toMatchObject({ reason: 'error', code: 'rate-limited' })
      expect(talk.requests).toHaveLength(1)
    },
  )

  it('B44: that wait can be aborted', async () => {
    const talk = cases.open(limited({ 'retry-after': '5' }))
    await talk.begin()
    await talk.request(1, ({ endedAt }) => endedAt !== undefined)
    expect(await talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 })).toMatchObject({ reason: 'aborted' })
    expect(talk.requests).toHaveLength(1)
    await talk.log()
  })
})

describe.concurrent('retries of a tool', () => {
  it('B84: are as many as the tool allows, under one request id, in one Step', async () => {
    const talk = cases.open(callTools({ tool: 'flaky' }), say('It worked.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', steps: 2 })
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
    const own = runs.filter((run) => run.startsWith(talk.session.id))
    expect(own).toHaveLength(3)
    expect(new Set(own).size).toBe(1)
  })
})
