import { describe, expect, it } from 'vitest'
import { serveGateway } from '../../src/gateway/serve-gateway.ts'
import { gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayWorld } from './support/gateway-world.ts'
import { StreamReader } from './support/read-stream.ts'

const gateway = gatewayWorld()

describe('a wait whose client has gone', () => {
  it('is free at once', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['One ', 'two.'])))
    await talk.begin()
    await talk.streaming()
    const left = new AbortController()
    const asked = fetch(`${gateway.url}/v1/sessions/${talk.session.id}/turns/f1?wait=60`, {
      signal: left.signal,
    })
    const { metrics } = gateway.gateway.deps
    await eventually(async () => metrics.text().includes('turnstep_waits_open 1\n'))
    left.abort()
    await asked.catch(() => undefined)
    await eventually(async () => metrics.text().includes('turnstep_waits_open 0\n'))
    held.open()
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed' })
  })
})

describe('figures', () => {
  it('count requests by route and status, streams and waits, in the format of Prometheus', async () => {
    await gateway.call('GET', '/v1/sessions/one-that-is-not-there')
    await gateway.call('GET', '/v1/agents')
    const { body, headers } = await gateway.call('GET', '/metrics')
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4')
    const lines = String(body).split('\n')
    expect(lines).toContain(
      'turnstep_http_requests_total{method="GET",route="/v1/sessions/:session",status="404"} 1',
    )
    expect(lines).toContain('turnstep_http_requests_total{method="GET",route="/v1/agents",status="200"} 1')
    expect(lines).toContain('turnstep_streams_open 0')
    expect(String(body)).not.toContain('one-that-is-not-there')
    for (const line of lines) expect(line).toMatch(/^(#.*|[a-z_]+(\{[^}]*\})? -?[0-9.e+-]+|)$/)
  })
})

describe('a gateway that goes', () => {
  it('ends streams with a hint to come again, answers what waits, finishes what is under way, and takes nothing new', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['One ', 'two.'])))
    await talk.begin()
    await talk.streaming()
    const { url } = gateway
    const path = `${url}/v1/sessions/${talk.session.id}`
    const reader = await StreamReader.open(`${path}/events?live=1`)
    await reader.until((one) => one.has('delta'))
    const waiting = fetch(`${path}/turns/f1?wait=60`)
    const stopping = fetch(`${path}/abort`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"mode":"after-step"}',
    })
    const { metrics } = gateway.gateway.deps
    await eventually(async () => metrics.text().includes('turnstep_waits_open 2\n'))
    const closed = gateway.close()
    await reader.until((one) => one.isOver)
    expect(reader.retryMs).toBe(1_000)
    expect(await (await waiting).json()).toMatchObject({ turnId: 'f1', state: 'open' })
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    held.open()
    expect(await (await stopping).json()).toMatchObject({ turnId: 'f1', reason: 'completed' })
    await closed
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'One two.' })
  })
})

describe('a port that is taken', () => {
  it('is said so', async () => {
    const first = await serveGateway(gateway.gateway, { host: '127.0.0.1', port: 0 })
    await expect(
      serveGateway(gateway.gateway, { host: '127.0.0.1', port: first.port }),
    ).rejects.toMatchObject({
      code: 'invalid-config',
      message: `Port ${first.port} of 127.0.0.1 is taken. Set TURNSTEP_PORT to another one, or end what uses it.`,
    })
    await first.close()
  })
})
