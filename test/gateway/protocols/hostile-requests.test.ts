import { describe, expect, it } from 'vitest'
import { gatewayWorld } from '../support/gateway-world.ts'

const gateway = gatewayWorld({ gateway: { agents: () => [{ name: 'tester' }] } })

const POSTS = ['/v1/ai-sdk/chat', '/v1/ag-ui', '/v1/chat/completions', '/v1/responses'] as const

const user = (content: unknown) => ({ role: 'user', content })

/** What each route is given that nobody can mean. */
const BODIES: readonly unknown[] = [
  null,
  [],
  'text',
  0,
  {},
  { id: 's', messages: null },
  { id: 's', messages: [null] },
  { id: '../s', messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] },
  { id: 's', messages: [{ id: 'u 1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] },
  { id: 's', messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 7 }] }] },
  { id: 's', messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }], agent: 'nobody' },
  { id: 's', messages: [{ id: 'answer-', role: 'assistant', parts: [] }] },
  { threadId: 's', runId: 'r', messages: [{ id: 'u1', role: 'user', content: [{ type: 'image' }] }] },
  { threadId: 's/t', runId: 'r', messages: [{ id: 'u1', role: 'user', content: 'Hi' }] },
  { threadId: 's', runId: 'r', messages: [], resume: [{ interruptId: '', status: 'resolved' }] },
  { threadId: 's', runId: 'r', messages: [], resume: [{ interruptId: 'c1_1_0:d', status: 'maybe' }] },
  { model: 'tester', messages: [] },
  { model: 'tester', messages: [user([{ type: 'image_url', image_url: 'x' }])] },
  { model: 'tester', messages: [user([{ type: 'video' }])] },
  { model: 7, messages: [user('Hi')] },
  { model: 'nobody', messages: [user('Hi')] },
  { model: 'tester', messages: [user('Hi')], metadata: { session_id: '../s' } },
  { model: 'tester', messages: [user('Hi')], stream: 'yes' },
  { model: 'tester', input: [] },
  { model: 'tester', input: [{ type: 'function_call_output', call_id: 'c1_1_0', output: '4' }] },
  { model: 'tester', input: [{ role: 'assistant', content: 'Hi' }] },
  { model: 'tester', input: 'Hi', previous_response_id: 'resp_Li4vLi4' },
  { model: 'nobody', input: 'Hi' },
  { id: 's', messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: ' ' }] }] },
  { threadId: 's', runId: 'r', messages: [{ id: 'u1', role: 'user', content: ' ' }] },
  { model: 'tester', messages: [user('')] },
  { model: 'tester', input: '' },
]

describe('requests that nobody can mean', () => {
  it.each(POSTS)('are refused by %s, and leave no session', async (path) => {
    const before = await gateway.world.client.sessions()
    for (const body of BODIES) {
      const { status } = await gateway.call('POST', path, JSON.stringify(body), {
        'content-type': 'application/json',
      })
      expect([status >= 400 && status < 500, path, body]).toEqual([true, path, body])
    }
    expect(await gateway.world.client.sessions()).toEqual(before)
  })

  it.each([
    ['GET', '/v1/ai-sdk/chat/%2e%2e/stream'],
    ['GET', '/v1/ai-sdk/chat/%ff/stream'],
    ['POST', '/v1/ai-sdk/chat/none/stop'],
    ['POST', '/v1/ag-ui/%00/stop'],
    ['GET', '/v1/responses/resp_%ff'],
    ['GET', `/v1/responses/resp_${'A'.repeat(60)}`],
    ['POST', '/v1/responses/none/cancel'],
    ['GET', '/v1/streams/a%20b'],
    ['GET', '/v1/streams/none?offset=now&live=sse'],
    ['DELETE', '/v1/streams/none'],
    ['GET', '/v1/chat/completions'],
  ] as const)('%s %s is refused', async (method, path) => {
    const { status } = await gateway.call(method, path)
    expect([404, 405, 400]).toContain(status)
  })
})
