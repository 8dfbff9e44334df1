import { stream } from '@durable-streams/client'
import { describe, expect, it } from 'vitest'
import { gate } from '../../../src/testing/gate.ts'
import { holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import { gatewayWorld } from '../support/gateway-world.ts'

const gateway = gatewayWorld()

const OFFSET = 'stream-next-offset'

const LOG = ['turn/start', 'user/message', 'step/start', 'assistant/message', 'step/end', 'turn/end']

describe('a log as a durable stream', () => {
  it('is read from its beginning, and from any offset', async () => {
    const talk = gateway.open(say('Hello.'))
    await talk.run()
    const url = `${gateway.url}/v1/streams/${talk.session.id}`
    const whole = await fetch(url)
    expect(whole.headers.get('content-type')).toBe('application/json')
    expect(whole.headers.get('stream-up-to-date')).toBe('true')
    expect(((await whole.json()) as { type: string }[]).map(({ type }) => type)).toEqual(LOG)
    const rest = await fetch(`${url}?offset=0000000000000004`)
    expect(((await rest.json()) as { type: string }[]).map(({ type }) => type)).toEqual(LOG.slice(4))
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get(OFFSET)]).toEqual([200, '0000000000000006'])
  })

  it.each(['long-poll', 'sse'] as const)('is followed by the official client: %s', async (live) => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['It is ', 'four.'])))
    await talk.begin()
    await talk.streaming()
    const reader = await stream<{ type: string }>({
      url: `${gateway.url}/v1/streams/${talk.session.id}`,
      live,
    })
    const types: string[] = []
    const ended = new Promise<void>((resolve) => {
      reader.subscribeJson((batch) => {
        types.push(...batch.items.map(({ type }) => type))
        if (types.includes('step/start')) held.open()
        if (types.includes('turn/end')) resolve()
      })
    })
    await ended
    reader.cancel()
    expect(types).toEqual(LOG)
  })

  it('is not there for a session that is not', async () => {
    expect(await gateway.call('GET', '/v1/streams/s-none')).toMatchObject({
      status: 404,
      body: { code: 'session-not-found' },
    })
    expect(await gateway.call('PUT', '/v1/streams/s-none')).toMatchObject({ status: 405 })
  })
})
