import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gate } from '../../src/testing/gate.ts'
import { callTools, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayWorld } from './support/gateway-world.ts'

const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends.',
  input: z.object({ to: z.string() }),
  risk: 'high',
  run: ({ to }) => `sent to ${to}`,
})

const pickColour = defineTool({
  name: 'pick_colour',
  description: 'Asks the user.',
  input: z.object({}),
  execution: 'client',
  timeoutMs: 60_000,
})

const longList = defineTool({
  name: 'long_list',
  description: 'Lists.',
  input: z.object({}),
  effect: 'read',
  run: () => Array.from({ length: 3_000 }, (_, line) => `line ${line + 1}`).join('\n'),
})

const gateway = gatewayWorld({ tools: [sendMail, pickColour, longList], limits: { spillBytes: 1_000 } })

describe('a turn', () => {
  it('is waited for no longer than was asked, and shows how it stands', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['One ', 'two.'])))
    await talk.begin()
    await talk.streaming()
    expect(await gateway.call('GET', `/v1/sessions/${talk.session.id}/turns/f1?wait=0.2`)).toMatchObject({
      status: 200,
      body: { turnId: 'f1', state: 'open', phase: 'thinking', text: '', steps: [{ step: 1 }] },
    })
    held.open()
    expect(await gateway.call('GET', `/v1/sessions/${talk.session.id}/turns/f1?wait=30`)).toMatchObject({
      body: { state: 'ended', reason: 'completed', text: 'One two.' },
    })
    for (const wait of ['61', '-1', 'x', 'Infinity'])
      expect(
        await gateway.call('GET', `/v1/sessions/${talk.session.id}/turns/f1?wait=${wait}`),
      ).toMatchObject({
        status: 400,
      })
  })

  it('is stopped, and goes on to nobody', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['One ', 'two.'])))
    await talk.begin()
    await talk.streaming()
    const path = `/v1/sessions/${talk.session.id}`
    await gateway.call('POST', `${path}/inputs`, { id: 'f2', content: 'Next.' })
    await eventually(async () => (await gateway.call('GET', `${path}/inputs/f2`)).body['fate'] === 'queued')
    expect(
      await gateway.call('POST', `${path}/inputs`, { content: 'Now!', whenBusy: 'reject' }),
    ).toMatchObject({
      status: 409,
      body: { code: 'session-busy' },
    })
    expect((await gateway.call('GET', path)).body['pending']).toEqual([
      { id: 'f2', lane: 'next-turn', content: 'Next.' },
    ])
    expect(await gateway.call('POST', `${path}/abort`, { queue: 'withdraw' })).toMatchObject({
      status: 200,
      body: {
        turnId: 'f1',
        reason: 'aborted',
        inputs: [
          { id: 'f1', fate: 'claimed' },
          { id: 'f2', fate: 'withdrawn' },
        ],
      },
    })
    await talk.session.whenIdle()
    expect(await gateway.call('POST', `${path}/abort`, {})).toMatchObject({
      status: 409,
      body: { code: 'turn-not-running' },
    })
    expect(await gateway.call('GET', `${path}/inputs/f2`)).toMatchObject({ body: { fate: 'withdrawn' } })
  })

  it('takes back a message that waits, once', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['One ', 'two.'])))
    await talk.begin()
    await talk.streaming()
    const path = `/v1/sessions/${talk.session.id}/inputs`
    await gateway.call('POST', path, { id: 'f2', content: 'Next.' })
    await eventually(async () => (await gateway.call('GET', `${path}/f2`)).status === 200)
    expect(await gateway.call('DELETE', `${path}/f2`)).toMatchObject({
      status: 200,
      body: { fate: 'withdrawn' },
    })
    expect(await gateway.call('DELETE', `${path}/f1`)).toMatchObject({
      status: 409,
      body: { code: 'input-already-claimed' },
    })
    held.open()
    await talk.log()
  })
})

describe('what waits for somebody', () => {
  it('is an approval, decided once, by the principal', async () => {
    const talk = gateway.open(callTools({ tool: 'send_mail', arguments: { to: 'ann' } }), say('Done.'))
    await talk.begin()
    const path = `/v1/sessions/${talk.session.id}`
    const approvals = async () =>
      ((await gateway.call('GET', path)).body['approvals'] ?? []) as { argumentsDigest: string }[]
    await eventually(async () => (await approvals()).length === 1)
    const [asked] = await approvals()
    expect(asked).toMatchObject({
      kind: 'call',
      callId: 'c1_1_0',
      tool: 'send_mail',
      arguments: '{"to":"ann"}',
    })
    const digest = asked?.argumentsDigest ?? ''
    const where = `${path}/approvals/c1_1_0`
    // The log says so of a rule.
    await expect(talk.session.decide('c1_1_0', { decision: 'approve', by: 'policy' })).rejects.toMatchObject({
      code: 'invalid-input',
    })
    expect(await gateway.call('POST', where, { decision: 'approve', argumentsDigest: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'arguments-changed' },
    })
    expect(await gateway.call('POST', where, { decision: 'approve', argumentsDigest: digest })).toMatchObject(
      {
        status: 200,
        body: { callId: 'c1_1_0', decision: 'approve', by: 'user' },
      },
    )
    expect(await gateway.call('POST', where, { decision: 'deny', argumentsDigest: digest })).toMatchObject({
      status: 409,
      body: { code: 'already-decided' },
    })
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
    expect((await gateway.call('GET', `${path}/audits`)).body['audits']).toMatchObject([
      { callId: 'c1_1_0', tool: 'send_mail', approvedBy: 'user' },
    ])
  })

  it('is a call that the client runs, answered once', async () => {
    const talk = gateway.open(callTools({ tool: 'pick_colour' }), say('Blue, then.'))
    await talk.begin()
    const path = `/v1/sessions/${talk.session.id}`
    const calls = async () => ((await gateway.call('GET', path)).body['clientCalls'] ?? []) as unknown[]
    await eventually(async () => (await calls()).length === 1)
    const where = `${path}/calls/c1_1_0/result`
    expect(await gateway.call('POST', where, { content: { colour: 'blue' } })).toMatchObject({ status: 200 })
    expect(await gateway.call('POST', where, { content: 'red' })).toMatchObject({
      status: 409,
      body: { code: 'already-decided' },
    })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Blue, then.' })
  })
})

describe('a large output', () => {
  it('is read by lines, and searched', async () => {
    const talk = gateway.open(callTools({ tool: 'long_list' }), say('Long.'))
    await talk.run()
    const log = await talk.log()
    const spill = log.flatMap((event) =>
      event.type === 'tool/result' && event.spill ? [event.spill.id] : [],
    )[0]
    const path = `/v1/sessions/${talk.session.id}/spills/${spill}`
    expect(await gateway.call('GET', `${path}?from=2999&lines=1`)).toMatchObject({
      status: 200,
      body: { lines: 3_000, text: 'line 2999\n' },
    })
    expect(await gateway.call('GET', `${path}?grep=line%202.99%24`)).toMatchObject({
      body: { total: 10, matches: expect.arrayContaining([{ line: 2_099, column: 1, text: 'line 2099' }]) },
    })
    for (const pattern of ['(', '.{1000}.{1000}'])
      expect(await gateway.call('GET', `${path}?grep=${pattern}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid-input' },
      })
  })
})
