import { describe, expect, it } from 'vitest'
import { chatText } from '../../src/testing/chat-request.ts'
import { callTools, hang, hangAfter, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, receiptsIn, sharedWorld } from '../support/conversations.ts'

const input = { type: 'object' } as const

const cases = sharedWorld({
  limits: { maxModelAttempts: 1 },
  tools: [
    defineTool({
      name: 'honours',
      description: 'Stops when it is told to.',
      effect: 'read',
      input,
      run: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        }),
    }),
    defineTool({
      name: 'ignores',
      description: 'Never stops.',
      effect: 'once',
      input,
      run: () => new Promise(() => undefined),
    }),
    defineTool({
      name: 'returns',
      description: 'Returns what it has when it is told to stop.',
      effect: 'once',
      input,
      run: (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('half of it'), { once: true })
        }),
    }),
    defineTool({ name: 'quick', description: 'Is quick.', effect: 'read', input, run: () => 'quick' }),
  ],
})

async function toolsStarted(talk: Conversation, count: number): Promise<void> {
  let running = 0
  for await (const event of talk.session.events({ follow: true })) {
    if (event.type === 'tool/call') running += 1
    if (running === count) return
  }
}

/** The next message is answered, which a strict provider allows only if every call has its receipt. */
async function expectNextTurn(talk: Conversation): Promise<void> {
  talk.enqueue(say('Here I am.'))
  await talk.session.followup('Are you there?', { id: 'next' })
  expect(await talk.result('next')).toMatchObject({ reason: 'completed', text: 'Here I am.' })
  expect(chatText(talk.requests.at(-1)?.messages.at(-1) ?? { role: 'user' })).toBe('Are you there?')
  await talk.log()
}

describe.concurrent('an abort', () => {
  it.each([
    ['honours', 'cancelled', /^Cancelled:/],
    ['ignores', 'outcome-unknown', /^Outcome unknown:/],
    ['returns', 'ok', /^half of it$/],
  ] as const)('B02: while a tool that %s it runs leaves its receipt', async (tool, kind, text) => {
    const talk = cases.open(callTools({ tool }))
    await talk.begin()
    await toolsStarted(talk, 1)
    expect(await talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 })).toMatchObject({ reason: 'aborted' })
    expect(await talk.receipts()).toEqual([`c1_1_0 ${kind}`])
    await expectNextTurn(talk)
    expect(receiptsIn(talk.requests[1])).toEqual([expect.stringMatching(text)])
  })

  it('B02: while three tools run leaves three receipts, in the order of the calls', async () => {
    const talk = cases.open(callTools({ tool: 'ignores' }, { tool: 'quick' }, { tool: 'honours' }))
    await talk.begin()
    for await (const event of talk.session.events({ follow: true })) if (event.type === 'tool/result') break
    await toolsStarted(talk, 3)
    expect(await talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 })).toMatchObject({ reason: 'aborted' })
    await expectNextTurn(talk)
    expect(receiptsIn(talk.requests[1])).toEqual([
      expect.stringMatching(/^Outcome unknown:/),
      'quick',
      expect.stringMatching(/^Cancelled:/),
    ])
  })

  it.each([
    ['has not answered', hang()],
    ['streams a text', hangAfter(1, say(['Well, ', 'you see.']))],
    ['streams a call', hangAfter(1, callTools({ tool: 'quick' }))],
  ] as const)('B02: while the request after a tool %s leaves the tool answered', async (_state, reply) => {
    const talk = cases.open(callTools({ tool: 'quick' }), reply)
    await talk.begin()
    await talk.request(2, ({ chunksSent }) => reply.kind === 'hang' || chunksSent > 0)
    expect(await talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 })).toMatchObject({ reason: 'aborted' })
    await talk.request(2, ({ abortedAt }) => abortedAt !== undefined)
    await expectNextTurn(talk)
    expect(receiptsIn(talk.requests[2])).toEqual(['quick'])
  })

  it('B02: sent by two at once ends the Turn once', async () => {
    const talk = cases.open(callTools({ tool: 'ignores' }))
    await talk.begin()
    await toolsStarted(talk, 1)
    const [one, other] = await Promise.all([
      talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 }),
      talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 }),
    ])
    expect(one).toEqual(other)
    expect(await talk.receipts()).toEqual(['c1_1_0 outcome-unknown'])
    await expectNextTurn(talk)
  })
})

describe.concurrent('the end of a Turn', () => {
  it.each([
    ['a bad key', { kind: 'status', status: 401 }, 'provider-auth'],
    ['a bad request', { kind: 'status', status: 400 }, 'provider-rejected'],
    [
      'a retired model',
      { kind: 'status', status: 404, body: { error: { message: 'No such model', code: 'model_not_found' } } },
      'provider-rejected',
    ],
    [
      'a long context',
      {
        kind: 'status',
        status: 400,
        body: {
          error: { message: 'Too long', type: 'invalid_request_error', code: 'context_length_exceeded' },
        },
      },
      'context-too-long',
    ],
    ['an outage', { kind: 'status', status: 503 }, 'provider-unavailable'],
    ['a limit', { kind: 'status', status: 429 }, 'rate-limited'],
    [
      'a page of HTML',
      { kind: 'raw', pieces: ['<html>Welcome</html>'], contentType: 'text/html' },
      'provider-protocol',
    ],
  ] as const)('B78: is recorded after %s, with nothing left open', async (_what, answer, code) => {
    const talk = cases.open(callTools({ tool: 'quick' }), answer)
    expect(await talk.run()).toMatchObject({
      reason: 'error',
      code,
      handBack: { blockedBy: expect.any(String) },
    })
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
    expect(await talk.session.status()).toMatchObject({ phase: 'idle', pending: [] })
    await expectNextTurn(talk)
  })

  it('B78: is recorded after a cancellation from outside', async () => {
    const talk = cases.open(callTools({ tool: 'honours' }))
    await talk.begin()
    await toolsStarted(talk, 1)
    const handle = cases.world.temporal.workflow.getHandle(talk.workflowId)
    await handle.cancel()
    expect(await talk.result('f1')).toMatchObject({ reason: 'aborted' })
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
    await expectNextTurn(talk)
  })
})
