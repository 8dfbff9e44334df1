import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { workflowIdOf } from '../../src/core/ids.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { Conversations } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const SECRET = 'a secret of the receiver'

describe('notify', () => {
  const conversations = new Conversations()
  let world: TurnWorld
  let server: Server
  let received: Received[]
  let statuses: number[]

  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({ to: z.string() }),
    risk: 'high',
    run: () => 'sent',
  })

  beforeEach(async () => {
    received = []
    statuses = []
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
        response.writeHead(statuses.shift() ?? 204).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    world = await TurnWorld.open({ respond: conversations.respond, tools: [send] })
  })
  afterEach(async () => {
    await world.close()
    server.close()
  })

  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`

  it('posts, signed, when an approval is due and when the Turn has ended, and again what was not taken', async () => {
    statuses.push(503)
    await world.startWorker({ webhooks: { secret: SECRET, allowPrivate: [host()] } })
    const { session } = conversations.open(
      world,
      callTools({ tool: 'send', arguments: { to: 'a' } }),
      say('Done.'),
    )
    await session.followup(`Go. [${session.id}]`, { id: 'f1', notify: { webhook: `http://${host()}/hook` } })
    await eventually(async () => received.length === 2)
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([
      `default.${session.id}.f1.c1_1_0`,
      `default.${session.id}.f1.c1_1_0`,
    ])
    const [, taken] = received
    expect(JSON.parse(taken?.body ?? '')).toMatchObject({
      type: 'approval/requested',
      session: session.id,
      turnId: 'f1',
      callId: 'c1_1_0',
      tool: 'send',
      risk: 'high',
    })
    expect(taken?.body).not.toContain('"to"')
    const {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': signature,
    } = taken?.headers ?? {}
    const expected = createHmac('sha256', SECRET)
      .update(`${String(id)}.${String(time)}.${taken?.body}`)
      .digest('base64')
    expect(signature).toBe(`v1,${expected}`)
    await session.decide('c1_1_0', { decision: 'approve' })
    await eventually(async () => received.length === 3)
    expect(JSON.parse(received[2]?.body ?? '')).toMatchObject({ type: 'turn/end', reason: 'completed' })
  })

  it('holds up neither the Turn nor the next one when the receiver is not to be reached', async () => {
    await world.startWorker({ webhooks: {} })
    const conversation = conversations.open(world, say('One.'), say('Two.'))
    const { session } = conversation
    await session.followup(`Go. [${session.id}]`, { id: 'f1', notify: { webhook: `http://${host()}/hook` } })
    expect(await conversation.result('f1')).toMatchObject({ reason: 'completed', text: 'One.' })
    await session.followup('More', { id: 'f2' })
    expect(await conversation.result('f2')).toMatchObject({ reason: 'completed', text: 'Two.' })
    expect(received).toEqual([])
    await world.settledLog(session.id)
  })

  it('signals a workflow, but none of a Session: a sender of one would stop any other', async () => {
    const hold = gate()
    await world.startWorker()
    const other = conversations.open(world, holdAfter(1, hold, say(['It is ', 'four.'])))
    await other.begin()
    await other.streaming()
    const { session } = conversations.open(world, say('One.'), say('Two.'))
    const workflowId = workflowIdOf({ tenant: 'default', session: other.session.id })
    await expect(session.followup('Go.', { notify: { workflowId, signal: 'stop' } })).rejects.toMatchObject({
      code: 'invalid-input',
    })
    // As any client of Temporal's may.
    await session.followup(`Go. [${session.id}]`, { id: 'f0' })
    await session.turn('f0').result()
    const input = { v: 1, id: 'f1', content: 'More.', notify: { workflowId, signal: 'stop' } }
    await world.temporal.workflow.signalWithStart('turnWorkflow', {
      workflowId: workflowIdOf({ tenant: 'default', session: session.id }),
      taskQueue: world.taskQueue,
      args: [{ v: 1 }],
      signal: 'followup',
      signalArgs: [input],
    })
    await session.turn('f1').result()
    await session.whenIdle()
    hold.open()
    expect(await other.result('f1')).toMatchObject({ reason: 'completed', text: 'It is four.' })
  })
})
