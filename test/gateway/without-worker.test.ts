import { describe, expect, it } from 'vitest'
import { say } from '../../src/testing/scripted-answer.ts'
import { gatewayWorld } from './support/gateway-world.ts'

const gateway = gatewayWorld({ answerOthers: say('Whatever.'), worker: () => undefined })

describe('a gateway without a worker', () => {
  it('takes messages, tells what the log says, and says what it cannot know; a worker that comes goes on', async () => {
    const path = `/v1/sessions/${gateway.world.newSessionId()}`
    expect(await gateway.call('POST', `${path}/inputs`, { id: 'f1', content: 'Hi' })).toMatchObject({
      status: 202,
    })
    const state = await gateway.call('GET', path)
    expect(state).toMatchObject({ status: 200, body: { phase: 'running', approvals: [] } })
    expect(state.body).not.toHaveProperty('pending')
    const fate = await gateway.call('GET', `${path}/inputs/f1`)
    expect(fate).toMatchObject({ status: 503, body: { code: 'temporal-unavailable' } })
    expect(fate.headers.get('retry-after')).toBe('1')
    expect(await gateway.call('GET', `${path}/turns/f1`)).toMatchObject({
      status: 404,
      body: { code: 'turn-not-found' },
    })
    await gateway.world.startWorker()
    expect(await gateway.call('GET', `${path}/turns/f1?wait=40`)).toMatchObject({
      status: 200,
      body: { state: 'ended', reason: 'completed', text: 'Whatever.' },
    })
  })
})
