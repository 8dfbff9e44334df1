import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isScope } from '../../../src/core/access.ts'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import { defineTool } from '../../../src/tools/index.ts'
import { eventually } from '../../support/eventually.ts'
import { gatewayWorld } from '../support/gateway-world.ts'

const send = defineTool({
  name: 'send',
  description: 'Sends.',
  input: z.object({ to: z.string() }),
  risk: 'high',
  run: ({ to }) => `sent to ${to}`,
})

/** Whoever calls says what they may do, and as which tenant. */
const gateway = gatewayWorld({
  tools: [send],
  gateway: {
    authenticate: ({ headers }) =>
      Promise.resolve({
        tenant: headers.get('x-tenant') ?? 'default',
        name: 'ann',
        scopes: new Set((headers.get('x-scopes') ?? '').split(',').filter(isScope)),
      }),
  },
})

const may = (...scopes: readonly string[]) => ({ 'x-scopes': scopes.join() })

function chat(id: string, messages: readonly object[]) {
  return { id, messages }
}

const hello = (id: string) => [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: `Hello? [${id}]` }] }]

describe('the routes of other protocols', () => {
  it.each([
    ['POST', '/v1/ai-sdk/chat', 'send', chat('s', hello('s'))],
    ['GET', '/v1/ai-sdk/chat/s/stream', 'read', undefined],
    ['POST', '/v1/ai-sdk/chat/s/stop', 'abort', undefined],
    ['POST', '/v1/ag-ui', 'send', { threadId: 's', runId: 'r', messages: [] }],
    ['POST', '/v1/ag-ui/s/stop', 'abort', undefined],
    ['GET', '/v1/streams/s', 'read', undefined],
  ] as const)('%s %s needs the scope %s', async (method, path, scope, body) => {
    const all = ['send', 'steer', 'abort', 'approve', 'read']
    const others = may(...all.filter((one) => one !== scope))
    expect(await gateway.call(method, path, body, others)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })

  it.each([
    ['GET', '/v1/models', 'read', undefined],
    [
      'POST',
      '/v1/chat/completions',
      'send',
      { model: 'tester', messages: [{ role: 'user', content: 'Hi' }] },
    ],
    ['POST', '/v1/responses', 'send', { model: 'tester', input: 'Hi' }],
    ['GET', '/v1/responses/resp_czEvdTE', 'read', undefined],
    ['POST', '/v1/responses/resp_czEvdTE/cancel', 'abort', undefined],
  ] as const)('%s %s needs the scope %s, and says so as OpenAI does', async (method, path, _, body) => {
    expect(await gateway.call(method, path, body, may('approve'))).toMatchObject({
      status: 403,
      body: { error: { type: 'permission_error', code: 'forbidden' } },
    })
  })

  it('take a decision only of whoever may approve, and record who it was', async () => {
    const talk = gateway.open(callTools({ tool: 'send', arguments: { to: 'Ann' } }), say('Sent.'))
    const { id } = talk.session
    await gateway.call('POST', '/v1/ai-sdk/chat', chat(id, hello(id)), may('send'))
    await eventually(async () => (await talk.session.approvals()).length === 1)
    const [approval] = await talk.session.approvals()
    const part = {
      type: 'tool-send',
      toolCallId: 'c1_1_0',
      state: 'approval-responded',
      approval: { id: `c1_1_0:${approval?.argumentsDigest}`, approved: true },
    }
    const decided = chat(id, [...hello(id), { id: 'answer-u1', role: 'assistant', parts: [part] }])
    expect(await gateway.call('POST', '/v1/ai-sdk/chat', decided, may('send'))).toMatchObject({ status: 403 })
    expect(await gateway.call('POST', '/v1/ai-sdk/chat', decided, may('send', 'read'))).toMatchObject({
      status: 403,
    })
    const other = chat(id, [
      {
        id: 'answer-u1',
        role: 'assistant',
        parts: [{ ...part, approval: { id: 'c1_1_0:other', approved: true } }],
      },
    ])
    expect(
      await gateway.call('POST', '/v1/ai-sdk/chat', other, may('send', 'read', 'approve')),
    ).toMatchObject({
      status: 409,
      body: { code: 'arguments-changed' },
    })
    expect(
      await gateway.call('POST', '/v1/ai-sdk/chat', decided, may('send', 'read', 'approve')),
    ).toMatchObject({ status: 200 })
    expect((await talk.log()).find(({ type }) => type === 'approval/decided')).toMatchObject({ by: 'ann' })
  })

  it('tell nobody who may only send or stop what was said to others', async () => {
    const talk = gateway.open(say('A secret.'))
    const { id } = talk.session
    const user = [{ id: 'u1', role: 'user', content: `Hello? [${id}]` }]
    const own = await fetch(`${gateway.url}/v1/ai-sdk/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...may('send') },
      body: JSON.stringify(chat(id, hello(id))),
    })
    expect(await own.text()).toContain('A secret.')
    const forbidden = { status: 403, body: { code: 'forbidden' } }
    for (const [path, body] of [
      ['/v1/ai-sdk/chat', chat(id, hello(id))],
      ['/v1/ai-sdk/chat', chat(id, [{ id: 'answer-u1', role: 'assistant', parts: [] }])],
      ['/v1/ag-ui', { threadId: id, runId: 'r1', messages: user }],
      [
        '/v1/ag-ui',
        {
          threadId: id,
          runId: 'r1',
          messages: [{ id: 't', role: 'tool', toolCallId: 'c1_1_0', content: '' }],
        },
      ],
    ] as const)
      expect(await gateway.call('POST', path, body, may('send'))).toMatchObject(forbidden)
    const answer = `resp_${Buffer.from(`${id}/u1`).toString('base64url')}`
    expect(
      await gateway.call('POST', `/v1/responses/${answer}/cancel`, undefined, may('abort')),
    ).toMatchObject({ status: 403 })
  })

  it('know nothing of another tenant’s sessions', async () => {
    const talk = gateway.open(say('Hello.'))
    await talk.run()
    const { id } = talk.session
    const stranger = { ...may('send', 'read', 'abort', 'approve'), 'x-tenant': 'other' }
    const missing = { status: 404, body: { code: 'session-not-found' } }
    expect(await gateway.call('GET', `/v1/streams/${id}`, undefined, stranger)).toMatchObject(missing)
    expect(await gateway.call('GET', `/v1/ai-sdk/chat/${id}/stream`, undefined, stranger)).toMatchObject(
      missing,
    )
    expect(await gateway.call('POST', `/v1/ai-sdk/chat/${id}/stop`, undefined, stranger)).toMatchObject(
      missing,
    )
    expect(await gateway.call('POST', `/v1/ag-ui/${id}/stop`, undefined, stranger)).toMatchObject(missing)
    const answer = `resp_${Buffer.from(`${id}/f1`).toString('base64url')}`
    expect(await gateway.call('GET', `/v1/responses/${answer}`, undefined, stranger)).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found' } },
    })
  })

  it('say that a stream broke off when the gateway goes', async () => {
    const talk = gateway.open(holdAfter(1, gate(), say(['It is ', 'four.'])))
    const { id } = talk.session
    const post = (path: string, body: object, more: object = {}) =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...may('send', 'read'), ...more },
        body: JSON.stringify(body),
      })
    const page = await post('/v1/ai-sdk/chat', chat(id, hello(id)))
    await talk.streaming()
    const run = await post('/v1/ag-ui', {
      threadId: id,
      runId: 'r1',
      messages: [{ id: 'u1', role: 'user', content: 'Hello?' }],
    })
    gateway.gateway.close()
    expect(await page.text()).toContain('"type":"error","errorText":"The stream broke off.')
    expect(await run.text()).toContain('"type":"RUN_ERROR","message":"The stream broke off.')
  })
})
