import { describe, expect, it } from 'vitest'
import type { Authenticate, Scope } from '../../src/gateway/auth/principal.ts'
import { say } from '../../src/testing/scripted-answer.ts'
import { isOfOthers } from './support/arbitrary-request.ts'
import type { OpenApiDocument } from './support/described.ts'
import { gatewayWorld } from './support/gateway-world.ts'

/** Believes what a request says of itself: `tenant/name/scope+scope`. */
const believe: Authenticate = (request) => {
  const said = request.headers.get('x-principal')
  if (said === null) return Promise.resolve({ failure: 'unauthenticated', detail: 'Who are you?' })
  const [tenant = '', name = '', scopes = ''] = said.split('/')
  return Promise.resolve({ tenant, name, scopes: new Set(scopes.split('+') as Scope[]) })
}

const gateway = gatewayWorld({
  gateway: {
    authenticate: believe,
    limits: { requestsPerMinute: 30 },
    corsOrigins: ['https://app.example'],
  },
})

const all = 'send+steer+abort+approve+read'

describe('a route', () => {
  it('answers nobody who is not known, and nobody without its scope', async () => {
    const { body } = await gateway.call('GET', '/openapi.json')
    const { paths } = body as unknown as OpenApiDocument
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { security = [] }] of Object.entries(methods)) {
        // Any of them will do.
        const scopes = security.flatMap(({ bearer }) => bearer)
        if (scopes.length === 0) continue
        const where = path.replace(/\{\w+\}/g, 'x')
        const content = method === 'post' ? {} : undefined
        const ask = (said: Readonly<Record<string, string>>) =>
          gateway.call(method.toUpperCase(), where, content, said)
        const unknown = await ask({})
        expect(unknown.status, `${method} ${path}`).toBe(401)
        expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
        const without = all.split('+').filter((one) => !scopes.includes(one))
        const poor = await ask({ 'x-principal': `tenant-a/${method}${path.length}/${without.join('+')}` })
        expect(poor.status, `${method} ${path}`).toBe(403)
        if (isOfOthers(path)) continue
        expect([unknown.body['code'], poor.body['code']]).toEqual(['unauthenticated', 'forbidden'])
      }
  })

  it('reads no body of who is not known', async () => {
    for (const body of ['{"content":', 'x'.repeat(5 * 1024 * 1024)])
      expect(await gateway.call('POST', '/v1/sessions/s/inputs', body)).toMatchObject({ status: 401 })
  })

  it('asks for the scope of a steer, and of an interruption beside that of sending', async () => {
    const sender = { 'x-principal': 'default/sender/send' }
    const path = '/v1/sessions/scopes/inputs'
    for (const body of [
      { content: 'Hi', lane: 'next-step' },
      { content: 'Hi', whenBusy: 'interrupt' },
    ])
      expect(await gateway.call('POST', path, body, sender)).toMatchObject({ status: 403 })
  })

  it('has nothing of another tenant', async () => {
    const talk = gateway.open(say('Hello.'))
    await talk.run()
    const path = `/v1/sessions/${talk.session.id}`
    const other = { 'x-principal': `tenant-a/ann/${all}` }
    for (const where of [path, `${path}/events`, `${path}/messages`, `${path}/turns/f1`, `${path}/inputs/f1`])
      expect(await gateway.call('GET', where, undefined, other)).toMatchObject({
        status: 404,
        body: { code: 'session-not-found' },
      })
    expect((await gateway.call('GET', '/v1/sessions', undefined, other)).body['sessions']).toEqual([])
    const own = { 'x-principal': `default/ann/${all}` }
    expect(await gateway.call('GET', path, undefined, own)).toMatchObject({ status: 200 })
  })
})

describe('the rate of a principal', () => {
  it('is bounded, and no other principal is held up', async () => {
    const busy = { 'x-principal': 'tenant-a/busy/read' }
    const statuses: number[] = []
    for (let sent = 0; sent < 31; sent += 1)
      statuses.push((await gateway.call('GET', '/v1/agents', undefined, busy)).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
    const limited = await gateway.call('GET', '/v1/agents', undefined, busy)
    expect(limited).toMatchObject({ status: 429, body: { code: 'too-many-requests' } })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    const calm = { 'x-principal': 'tenant-a/calm/read' }
    expect(await gateway.call('GET', '/v1/agents', undefined, calm)).toMatchObject({ status: 200 })
  })
})

describe('pages of other origins', () => {
  const asked = (origin: string) => ({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, last-event-id',
  })

  it('may call the gateway when they are configured', async () => {
    const preflight = await gateway.call('OPTIONS', '/v1/sessions', undefined, asked('https://app.example'))
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers': 'content-type,last-event-id',
    })
    const own = { 'x-principal': 'default/page/read', origin: 'https://app.example' }
    const answer = await gateway.call('GET', '/v1/agents', undefined, own)
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
    const problem = await gateway.call('GET', '/v1/sessions/forged', undefined, own)
    expect([problem.status, problem.headers.get('access-control-allow-origin')]).toEqual([
      404,
      'https://app.example',
    ])
  })

  it('may not when they are not', async () => {
    const preflight = await gateway.call('OPTIONS', '/v1/sessions', undefined, asked('https://evil.example'))
    expect(preflight.headers.get('access-control-allow-origin')).toBe(null)
  })
})
