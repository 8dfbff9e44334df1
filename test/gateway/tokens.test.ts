import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/core/access.ts'
import type { OutputGuardrail } from '../../src/core/guardrail.ts'
import { checkApiKey, createApiKey } from '../../src/gateway/auth/api-keys.ts'
import { authenticateByBearer } from '../../src/gateway/auth/bearer.ts'
import { createGateway } from '../../src/gateway/create-gateway.ts'
import type { ServedGateway } from '../../src/gateway/serve-gateway.ts'
import { serveGateway } from '../../src/gateway/serve-gateway.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

/** Holds whatever is said. */
const all: OutputGuardrail = { name: 'all', judge: () => ({ verdict: 'hold', reason: 'All is held.' }) }

const ALL: readonly Scope[] = ['send', 'steer', 'abort', 'approve', 'read']

describe('a gateway that asks for keys', () => {
  let world: TurnWorld
  let keys: Awaited<ReturnType<typeof openSqliteStore>>
  let served: ServedGateway

  beforeAll(async () => {
    const send = defineTool({
      name: 'send',
      description: 'Sends.',
      input: { type: 'object' },
      risk: 'high',
      run: () => 'sent',
    })
    world = await TurnWorld.open({
      tools: [send],
      agents: [{ name: 'careful', guardrails: { output: [all] } }],
      respond: ({ messages }) => {
        if (messages.some((message) => chatText(message) === 'Tell.')) return say('A secret.')
        return messages.some(({ role }) => role === 'tool')
          ? say('Done.')
          : callTools({ tool: 'send', arguments: { to: 'a' } })
      },
    })
    await world.startWorker()
    keys = await openSqliteStore({ path: world.dbPath })
    const gateway = createGateway({
      turnstep: (tenant) => world.client.forTenant(tenant),
      authenticate: authenticateByBearer([checkApiKey(keys)]),
      version: '1.2.3',
    })
    served = await serveGateway(gateway, { host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await served.close()
    await keys.close()
    await world.close()
  })

  const newKey = async (tenant: string, scopes: readonly Scope[] = ALL, more: { expiresAt?: Date } = {}) =>
    createApiKey(keys, { tenant, name: `${tenant}-user`, scopes, ...more })

  async function ask(key: string | undefined, method: string, path: string, body?: unknown) {
    const answer = await fetch(`${served.url}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { status, headers } = answer
    return { status, headers, body: (await answer.json()) as Record<string, never> }
  }

  it('knows nobody without one, and says how', async () => {
    for (const key of [undefined, 'tsk_x', `tsk_${'0'.repeat(16)}_${'A'.repeat(43)}`]) {
      const { status, headers, body } = await ask(key, 'GET', '/v1/sessions')
      expect([status, body]).toMatchObject([401, { code: 'unauthenticated' }])
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  })

  it('keeps no key, only a digest', async () => {
    const { key, record } = await newKey('tenant-a')
    expect(JSON.stringify(await keys.apiKeys())).not.toContain(key.slice(-43))
    expect(await keys.apiKey(record.id)).toEqual(record)
  })

  it('does not take a key that was changed, revoked or is over', async () => {
    const { key, record } = await newKey('tenant-a')
    expect((await ask(key, 'GET', '/v1/sessions')).status).toBe(200)
    const changed = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
    expect((await ask(changed, 'GET', '/v1/sessions')).status).toBe(401)
    await keys.revokeApiKey(record.id)
    expect((await ask(key, 'GET', '/v1/sessions')).status).toBe(401)
    const over = await newKey('tenant-a', ALL, { expiresAt: new Date(Date.now() - 1) })
    expect((await ask(over.key, 'GET', '/v1/sessions')).status).toBe(401)
  })

  it('lets nobody do what their scopes do not say', async () => {
    const { key } = await newKey('tenant-a', ['read'])
    const refused = [
      ['POST', '/v1/sessions', {}],
      ['POST', '/v1/sessions/x/inputs', { content: 'Hi', lane: 'next-turn' }],
      ['POST', '/v1/sessions/x/inputs', { content: 'Hi', lane: 'next-step' }],
      ['POST', '/v1/sessions/x/abort', {}],
      ['POST', '/v1/sessions/x/approvals/c1_1_0', { decision: 'approve', argumentsDigest: 'f'.repeat(64) }],
    ] as const
    for (const [method, path, body] of refused)
      expect(await ask(key, method, path, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const sender = await newKey('tenant-a', ['send'])
    expect((await ask(sender.key, 'GET', '/v1/sessions')).status).toBe(403)
  })

  it('takes a steer from who may steer, and a message for a turn from who may send', async () => {
    const steerer = (await newKey('tenant-a', ['steer'])).key
    const path = '/v1/sessions/lanes/inputs'
    expect((await ask(steerer, 'POST', path, { content: 'Hi', lane: 'next-turn' })).status).toBe(403)
    expect((await ask(steerer, 'POST', path, { content: 'Hi', lane: 'next-step' })).status).toBe(202)
    const sender = (await newKey('tenant-a', ['send'])).key
    expect((await ask(sender, 'POST', path, { content: 'Hi', lane: 'next-step' })).status).toBe(403)
    expect(
      (await ask(sender, 'POST', path, { content: 'Hi', lane: 'next-turn', whenBusy: 'interrupt' })).status,
    ).toBe(403)
  })

  it('shows a held text to who may decide on it, and to nobody else', async () => {
    const reader = (await newKey('tenant-a', ['read'])).key
    const reviewer = (await newKey('tenant-a', ['read', 'approve'])).key
    const sender = (await newKey('tenant-a')).key
    await ask(sender, 'POST', '/v1/sessions', { id: 'held', agent: 'careful' })
    await ask(sender, 'POST', '/v1/sessions/held/inputs', { content: 'Tell.', lane: 'next-turn' })
    const waiting = async (key: string) => (await ask(key, 'GET', '/v1/sessions/held')).body['approvals']
    await eventually(async () => JSON.stringify(await waiting(reviewer)).includes('A secret.'))
    expect(await waiting(reader)).toMatchObject([{ kind: 'text', callId: 'm1_1', guardrail: 'all' }])
    expect(JSON.stringify(await waiting(reader))).not.toContain('A secret.')
    const read = await ask(reader, 'GET', '/v1/sessions/held/events')
    expect(JSON.stringify(read.body)).not.toContain('A secret.')
    const decision = { decision: 'edit', text: 'Nothing.', argumentsDigest: await digest(reviewer) }
    expect((await ask(reviewer, 'POST', '/v1/sessions/held/approvals/m1_1', decision)).status).toBe(200)
    async function digest(key: string): Promise<string> {
      const [approval] = (await waiting(key)) as unknown as readonly { argumentsDigest: string }[]
      return approval?.argumentsDigest ?? ''
    }
    await eventually(async () =>
      JSON.stringify((await ask(reader, 'GET', '/v1/sessions/held/messages')).body).includes('Nothing.'),
    )
  })

  it("shows nobody another tenant's sessions, and records who decided", async () => {
    const mine = (await newKey('tenant-a')).key
    const other = (await newKey('other')).key
    await ask(mine, 'POST', '/v1/sessions/shared/inputs', {
      id: 'f1',
      content: 'Send it.',
      lane: 'next-turn',
    })
    await eventually(
      async () => (await ask(mine, 'GET', '/v1/sessions/shared')).body['phase'] === 'waiting_human',
    )
    const { body } = await ask(mine, 'GET', '/v1/sessions/shared')
    const approval = (
      body['approvals'] as unknown as readonly { callId: string; argumentsDigest: string }[]
    )[0]
    const decision = { decision: 'approve', argumentsDigest: approval?.argumentsDigest }
    const path = `/v1/sessions/shared/approvals/${approval?.callId}`
    for (const [method, hidden, sent] of [
      ['GET', '/v1/sessions/shared', undefined],
      ['GET', '/v1/sessions/shared/events', undefined],
      ['GET', '/v1/sessions/shared/messages', undefined],
      ['GET', '/v1/sessions/shared/turns/f1', undefined],
      ['GET', '/v1/sessions/shared/inputs/f1', undefined],
      ['POST', path, decision],
    ] as const)
      expect(await ask(other, method, hidden, sent)).toMatchObject({ status: 404 })
    expect(JSON.stringify((await ask(other, 'GET', '/v1/sessions')).body)).not.toContain('shared')
    expect((await ask(mine, 'POST', path, decision)).status).toBe(200)
    const ended = await ask(mine, 'GET', '/v1/sessions/shared/turns/f1?wait=20')
    expect(ended.body).toMatchObject({ reason: 'completed' })
    const { events } = (await ask(mine, 'GET', '/v1/sessions/shared/events')).body as unknown as {
      events: readonly { type: string; by?: string }[]
    }
    expect(events.find(({ type }) => type === 'approval/decided')?.by).toBe('tenant-a-user')
  })
})
