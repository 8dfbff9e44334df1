import { describe, expect, it } from 'vitest'
import { say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayWorld } from './support/gateway-world.ts'
import { StreamReader } from './support/read-stream.ts'
import { openStalledReader } from './support/stalled-reader.ts'

const gateway = gatewayWorld({ gateway: { limits: { readerStallMs: 500 } } })

describe('a reader that takes nothing for too long', () => {
  it('is cut, without harm to the turn and the other readers', async () => {
    const talk = gateway.open(say(Array.from({ length: 200 }, (_, at) => `${at} ${'x'.repeat(64 * 1024)}`)))
    await gateway.world.client.createSession(talk.session.id)
    const url = `${gateway.url}/v1/sessions/${talk.session.id}/events?live=1`
    await openStalledReader(url)
    const staying = await StreamReader.open(url)
    await talk.begin()
    await staying.until((one) => one.has('turn/end'), 50_000)
    await eventually(async () => gateway.gateway.deps.tails.readers === 1)
    staying.close()
    expect(staying.ids()).toEqual([1, 2, 3, 4, 5, 6])
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', steps: 1 })
    expect((await gateway.call('GET', '/metrics')).body).toContain('turnstep_readers_cut_total 1\n')
  })
})
