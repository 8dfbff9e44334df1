import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { problemOf, statusOf } from '../../src/gateway/problem.ts'
import { gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { gatewayWorld } from './support/gateway-world.ts'
import { StreamReader } from './support/read-stream.ts'

const gateway = gatewayWorld({
  gateway: { limits: { bodyBytes: 64 * 1024, jsonDepth: 16 } },
  serve: { headersTimeoutMs: 300, requestTimeoutMs: 600 },
})

const HOSTILE = '/v1/sessions/hostile/inputs'

/** Whether anything of what was refused has arrived. */
async function isUntouched(): Promise<boolean> {
  return (await gateway.call('GET', '/v1/sessions/hostile')).status === 404
}

/** Sends bytes as they are and reads until the other side hangs up. */
function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let answer = ''
    socket.setEncoding('utf8').on('data', (data: string) => {
      answer += data
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(text)
  })
}

describe('a request that cannot be meant', () => {
  it.each([
    [
      'a body that is larger than the limit',
      `{"content":"${'x'.repeat(64 * 1024)}"}`,
      413,
      'payload-too-large',
    ],
    [
      'JSON that is nested too deep',
      `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      413,
      'payload-too-large',
    ],
    [
      'JSON that is nested a little too deep',
      `{"content":${'['.repeat(20)}${']'.repeat(20)}}`,
      400,
      'invalid-json',
    ],
    ['JSON with a key __proto__', '{"content":"Hi","__proto__":{"lane":"next-step"}}', 400, 'invalid-json'],
    ['JSON with an escaped key __proto__', '{"content":"Hi","\\u005f_proto__":{}}', 400, 'invalid-json'],
    ['a body that is not JSON', '{"content":', 400, 'invalid-json'],
    ['an empty body', '', 400, 'bad-request'],
    ['a body that is no object', '[]', 400, 'invalid-input'],
    ['an unusable id', '{"content":"Hi","id":"../etc"}', 400, 'invalid-input'],
    ['empty content', '{"content":""}', 400, 'invalid-input'],
    ['an unknown lane', '{"content":"Hi","lane":"fast"}', 400, 'invalid-input'],
    ['options of the other lane', '{"content":"Hi","expectedTurnId":"f1"}', 400, 'invalid-input'],
  ])('is refused for %s', async (_, body, status, code) => {
    const answer = await gateway.call('POST', HOSTILE, body)
    expect(answer).toMatchObject({ status, body: { status, code, type: `urn:turnstep:error:${code}` } })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await isUntouched()).toBe(true)
  })

  it('is refused for bytes that are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"content":"'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ])
    expect(await gateway.call('POST', HOSTILE, body)).toMatchObject({
      status: 400,
      body: { code: 'invalid-json' },
    })
    expect(await isUntouched()).toBe(true)
  })

  it('is refused for a body of another type', async () => {
    const answer = await gateway.call('POST', HOSTILE, 'content=Hi', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported-media-type' } })
    expect(await isUntouched()).toBe(true)
  })

  it('says which place of the body is wrong', async () => {
    const { body } = await gateway.call('POST', HOSTILE, { content: [{ type: 'text', text: 1 }], id: 'a b' })
    expect(body['errors']).toEqual([
      { path: 'id', message: 'An id is 1 to 128 characters out of A-Z a-z 0-9 _ . -' },
      expect.objectContaining({ path: 'content' }),
    ])
  })

  it('is told which methods a path takes, and that there is nothing at another', async () => {
    expect(await gateway.call('PUT', '/v1/sessions')).toMatchObject({
      status: 405,
      body: { code: 'method-not-allowed' },
    })
    expect((await gateway.call('PATCH', '/v1/sessions/x')).headers.get('allow')).toBe('GET')
    expect(await gateway.call('GET', '/v1/nothing')).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
  })
})

describe('ids that were never given out', () => {
  it('are 404, and leave nothing behind', async () => {
    const talk = gateway.open(say('Done.'))
    await talk.run()
    const path = `/v1/sessions/${talk.session.id}`
    const before = await talk.log()
    const decision = { decision: 'approve', argumentsDigest: 'f'.repeat(64) }
    const asked = [
      ['GET', '/v1/sessions/forged', undefined, 'session-not-found'],
      ['GET', '/v1/sessions/forged/events', undefined, 'session-not-found'],
      ['POST', '/v1/sessions/forged/abort', {}, 'session-not-found'],
      ['POST', '/v1/sessions/forged/approvals/c1_1_0', decision, 'session-not-found'],
      ['GET', `${path}/turns/forged`, undefined, 'turn-not-found'],
      ['GET', `${path}/inputs/forged`, undefined, 'input-not-found'],
      ['DELETE', `${path}/inputs/forged`, undefined, 'input-not-found'],
      ['GET', `${path}/spills/forged`, undefined, 'spill-not-found'],
      ['POST', `${path}/approvals/c1_1_0`, decision, 'call-not-waiting'],
      ['POST', `${path}/approvals/c999999999999_1_0`, decision, 'call-not-waiting'],
      ['POST', `${path}/approvals/m1_1`, decision, 'call-not-waiting'],
      ['POST', `${path}/approvals/forged`, decision, 'call-not-waiting'],
      ['POST', `${path}/calls/c1_1_0/result`, { content: 'x' }, 'call-not-waiting'],
    ] as const
    for (const [method, where, body, code] of asked)
      expect(await gateway.call(method, where, body), `${method} ${where}`).toMatchObject({
        status: 404,
        body: { code },
      })
    expect(await gateway.call('POST', `${path}/abort`, { turnId: 'forged' })).toMatchObject({
      status: 409,
      body: { code: 'turn-not-running' },
    })
    expect(await talk.log()).toEqual(before)
  })

  it('are 400 where they cannot be ids at all', async () => {
    for (const session of ['%2e%2e%2fetc', 'a%00b', 'x'.repeat(129), '%F0%9F%92%A9', 'default:other'])
      expect(await gateway.call('GET', `/v1/sessions/${session}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid-input' },
      })
  })
})

describe('a client that is slow to ask', () => {
  it('is answered 408 when its headers do not come', async () => {
    const answer = await sendRaw('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect(answer).toContain('HTTP/1.1 408 Request Timeout\r\n')
    expect(answer).toContain('"code":"request-timeout"')
  })

  it('is answered 408 when its body does not come', async () => {
    const { host } = new URL(gateway.url)
    const answer = await sendRaw(
      `POST ${HOSTILE} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"content"`,
    )
    expect(answer).toContain('HTTP/1.1 408 Request Timeout\r\n')
    expect(await isUntouched()).toBe(true)
  })

  it('is answered 400 for what is not HTTP, and 431 for headers without end', async () => {
    expect(await sendRaw('HELLO\r\n\r\n')).toContain('HTTP/1.1 400 Bad Request\r\n')
    expect(await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toContain(
      'HTTP/1.1 431 Request Header Fields Too Large\r\n',
    )
  })

  it('keeps nobody else from being answered', async () => {
    const slow = sendRaw('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect(await gateway.call('GET', '/healthz')).toMatchObject({ status: 200 })
    await slow
  })
})

describe('HEAD', () => {
  it('of events has no stream, and leaves no reader', async () => {
    const talk = gateway.open(say('Done.'))
    await talk.run()
    const url = `${gateway.url}/v1/sessions/${talk.session.id}/events`
    const answer = await fetch(url, { method: 'HEAD', headers: { accept: 'text/event-stream' } })
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(gateway.gateway.deps.tails.readers).toBe(0)
    const hold = gate()
    const running = gateway.open(holdAfter(1, hold, say(['It is ', 'four.'])))
    await running.begin()
    await running.streaming()
    const resumed = `${gateway.url}/v1/ai-sdk/chat/${running.session.id}/stream`
    expect((await fetch(resumed, { method: 'HEAD' })).headers.get('content-type')).toMatch('event-stream')
    expect(gateway.gateway.deps.metrics.text()).toContain('turnstep_streams_open 0')
    hold.open()
    await running.result('f1')
    const reader = await StreamReader.open(url)
    await reader.until((one) => one.has('turn/end'))
    reader.close()
  })
})

describe('TRACE', () => {
  it('is a method that no path takes', async () => {
    const { host } = new URL(gateway.url)
    const answer = await sendRaw(`TRACE /v1/sessions HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  })
})

describe('a problem', () => {
  it('has a status by its code, and a type that is a name', () => {
    expect(problemOf('session-busy', 'Busy.')).toEqual({
      type: 'urn:turnstep:error:session-busy',
      title: 'Conflict',
      status: 409,
      detail: 'Busy.',
      code: 'session-busy',
    })
    expect(statusOf('store-unavailable')).toBe(503)
  })
})
