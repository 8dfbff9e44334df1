import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayWorld } from './support/gateway-world.ts'

describe('notify of a message that came over HTTP', () => {
  let receiver: Server
  const bodies: string[] = []
  const host = (): string => `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text))
      request.on('end', () => response.writeHead(204).end())
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    receiver.close()
  })
  const gateway = gatewayWorld({
    worker: () => ({ webhooks: { allowPrivate: [host()] } }),
    gateway: { mayNotify: (id) => id !== 'theirs' },
  })

  it('posts to its webhook once the turn has ended', async () => {
    const talk = gateway.open(say('Hello.'))
    const notify = { webhook: `http://${host()}/hook` }
    const content = `Go. [${talk.session.id}]`
    const path = `/v1/sessions/${talk.session.id}/inputs`
    expect(await gateway.call('POST', path, { id: 'f1', content, notify })).toMatchObject({ status: 202 })
    await eventually(async () => bodies.length === 1)
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      type: 'turn/end',
      session: talk.session.id,
      turnId: 'f1',
      reason: 'completed',
    })
  })

  it('is refused where it names nobody', async () => {
    for (const notify of [
      {},
      { webhook: 1 },
      { workflowId: 'w' },
      { webhook: 'https://a.example', signal: 's' },
      { workflowId: 'turnstep:other:s', signal: 'stop' },
      { webhook: 'javascript:alert(1)' },
      { webhook: 'ftp://a.example/' },
    ])
      expect(await gateway.call('POST', '/v1/sessions/n/inputs', { content: 'Hi', notify })).toMatchObject({
        status: 400,
        body: { code: 'invalid-input' },
      })
  })

  it('is refused where it names a workflow that may not be told', async () => {
    const notify = { workflowId: 'theirs', signal: 'done' }
    expect(await gateway.call('POST', '/v1/sessions/n/inputs', { content: 'Hi', notify })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })
})
