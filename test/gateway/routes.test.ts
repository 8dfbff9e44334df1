import { describe, expect, it } from 'vitest'
import { gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { gatewayWorld } from './support/gateway-world.ts'
import { StreamReader } from './support/read-stream.ts'

const gateway = gatewayWorld()

describe('a session over HTTP', () => {
  it('takes a message, runs a turn, and tells how it ended', async () => {
    const talk = gateway.open(say('Hello.'))
    const path = `/v1/sessions/${talk.session.id}`
    expect(
      await gateway.call('POST', '/v1/sessions', { id: talk.session.id, metadata: { n: 1 } }),
    ).toMatchObject({
      status: 201,
      body: { sessionId: talk.session.id },
    })
    const sent = await gateway.call('POST', `${path}/inputs`, {
      id: 'f1',
      content: `Hi [${talk.session.id}]`,
    })
    expect(sent).toMatchObject({ status: 202, body: { inputId: 'f1' } })
    const turn = await gateway.call('GET', `${path}/turns/f1?wait=30`)
    expect(turn).toMatchObject({
      status: 200,
      body: { turnId: 'f1', turn: 1, state: 'ended', phase: 'finished', reason: 'completed', text: 'Hello.' },
    })
    expect(turn.body['steps']).toMatchObject([{ step: 1, attemptsLost: 0 }])
    expect(await gateway.call('GET', `${path}/inputs/f1`)).toMatchObject({
      status: 200,
      body: { inputId: 'f1', fate: 'claimed', turnId: 'f1', turn: 1 },
    })
    const { body } = await gateway.call('GET', `${path}/events`)
    expect((body['events'] as { type: string }[]).map(({ type }) => type)).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(body['nextAfter']).toBe(6)
    await talk.session.whenIdle()
    expect(await gateway.call('GET', path)).toMatchObject({
      status: 200,
      body: { phase: 'idle', approvals: [] },
    })
    expect(await gateway.call('GET', `${path}/messages`)).toMatchObject({
      body: { messages: [{ role: 'user' }, { role: 'assistant', text: 'Hello.' }] },
    })
    const listed = await gateway.call('GET', '/v1/sessions?limit=500')
    expect(listed.body['sessions']).toContainEqual(
      expect.objectContaining({ sessionId: talk.session.id, phase: 'idle', metadata: { n: 1 } }),
    )
  })

  it('is streamed as it goes', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(2, held, say(['One ', 'two ', 'three.'])))
    const path = `/v1/sessions/${talk.session.id}`
    await gateway.call('POST', '/v1/sessions', { id: talk.session.id })
    const reader = await StreamReader.open(`${gateway.url}${path}/events?live=1`)
    await talk.begin()
    await reader.until(({ frames }) => frames.filter(({ event }) => event === 'delta').length >= 1)
    held.open()
    await reader.until((one) => one.has('turn/end'))
    reader.close()
    expect(reader.ids()).toEqual([1, 2, 3, 4, 5, 6])
    expect(reader.frames.find(({ event }) => event === 'delta')).toMatchObject({
      data: { turnId: 'f1', step: 1, attempt: 1, index: 0, text: expect.stringMatching(/^One /) },
    })
    expect(reader.frames.find(({ event }) => event === 'assistant/message')?.data['text']).toBe(
      'One two three.',
    )
  })
})
