import { describe, expect, it, onTestFinished } from 'vitest'
import { gate } from '../../src/testing/gate.ts'
import { callTools, cutAfter, holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { calculator } from '../../src/tools/index.ts'
import type { Conversation } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayWorld } from './support/gateway-world.ts'
import { StreamReader } from './support/read-stream.ts'
import { openStalledReader } from './support/stalled-reader.ts'

const gateway = gatewayWorld({
  tools: [calculator],
  gateway: { limits: { heartbeatMs: 100, readerBytes: 128 * 1024, readerStallMs: 60_000 } },
})

const TURN = ['turn/start', 'user/message', 'step/start', 'assistant/message', 'step/end', 'turn/end']

async function follow(
  talk: Conversation,
  query = 'live=1',
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReader> {
  await gateway.world.client.createSession(talk.session.id)
  const reader = await StreamReader.open(
    `${gateway.url}/v1/sessions/${talk.session.id}/events?${query}`,
    headers,
  )
  onTestFinished(() => reader.close())
  return reader
}

describe('a stream of events', () => {
  it('has each event once and in order, and stays open for the next turn', async () => {
    const talk = gateway.open(say('One.'), say('Two.'))
    await talk.run()
    const reader = await follow(talk, '')
    await reader.until((one) => one.has('turn/end'))
    await talk.session.followup('More.', { id: 'f2' })
    await reader.until((one) => one.types().filter((type) => type === 'turn/end').length === 2)
    expect(reader.ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(reader.types().filter((type) => type !== 'status')).toEqual([...TURN, ...TURN])
    expect(reader.frames.find(({ id }) => id === '2')).toMatchObject({
      event: 'user/message',
      data: { seq: 2, type: 'user/message', turnId: 'f1', inputId: 'f1' },
    })
  })

  it('tells the end of a turn whose workflow was terminated', async () => {
    const rest = gate()
    onTestFinished(() => rest.open())
    const talk = gateway.open(holdAfter(1, rest, say(['It ', 'is.'])))
    await talk.begin()
    const reader = await follow(talk)
    await reader.until((one) => one.has('delta'))
    await gateway.world.temporal.workflow.getHandle(talk.workflowId).terminate()
    await reader.until((one) => one.has('turn/end'))
    expect(reader.frames.find(({ event }) => event === 'turn/end')?.data).toMatchObject({
      reason: 'error',
      code: 'terminated',
    })
  })

  it('goes on after any event that is named: by Last-Event-ID first, else by after', async () => {
    const talk = gateway.open(say('One.'))
    await talk.run()
    for (let seq = 0; seq <= 6; seq += 1) {
      const rest = [1, 2, 3, 4, 5, 6].slice(seq)
      const byHeader = await follow(talk, 'after=2', { 'last-event-id': String(seq) })
      const byQuery = await follow(talk, `after=${seq}`)
      for (const reader of [byHeader, byQuery]) {
        await reader.until((one) => one.has('status'))
        expect(reader.ids()).toEqual(rest)
      }
    }
  })

  it('refuses a position that the log has not reached, and one that is none', async () => {
    const talk = gateway.open(say('One.'))
    await talk.run()
    const path = `/v1/sessions/${talk.session.id}/events`
    const accept = { accept: 'text/event-stream' }
    for (const after of ['7', '-1', '1.5', 'x', '99999999999999999999'])
      expect(await gateway.call('GET', `${path}?after=${after}`, undefined, accept)).toMatchObject({
        status: 400,
        body: { code: 'invalid-input' },
      })
    expect(
      await gateway.call('GET', path, undefined, { ...accept, 'last-event-id': '1; drop table' }),
    ).toMatchObject({ status: 400, body: { code: 'invalid-input' } })
  })

  it('tells where the session stands when it is joined, and at each change of phase', async () => {
    const talk = gateway.open(callTools({ tool: 'calculator', arguments: { expression: '6*7' } }), say('42.'))
    const reader = await follow(talk, '')
    await talk.begin()
    await reader.until((one) => one.has('turn/end'))
    await reader.until((one) => one.frames.at(-1)?.event === 'status')
    expect(reader.frames.flatMap(({ event, data }) => (event === 'status' ? [data] : []))).toEqual([
      { phase: 'idle' },
      { phase: 'running', turnId: 'f1', turnPhase: 'pending' },
      { phase: 'running', turnId: 'f1', turnPhase: 'thinking' },
      { phase: 'running', turnId: 'f1', turnPhase: 'tool_calling' },
      { phase: 'running', turnId: 'f1', turnPhase: 'tool_executing' },
      { phase: 'running', turnId: 'f1', turnPhase: 'thinking' },
      { phase: 'idle' },
    ])
    expect(reader.frames.every(({ event, id }) => (event === 'status') === (id === undefined))).toBe(true)
  })

  it('shows that it is alive when there is nothing to say, and how soon to come back', async () => {
    const talk = gateway.open()
    const reader = await follow(talk, '')
    await reader.until(({ comments }) => comments >= 2)
    expect(reader.retryMs).toBe(1_000)
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('live text', () => {
  it('is joined in the middle of a message, from its beginning, wherever the reader comes in', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(2, held, say(['Once ', 'upon ', 'a time.'])))
    await talk.begin()
    await talk.streaming()
    const early = await follow(talk)
    await early.until(({ frames }) => frames.some(({ data }) => String(data['text']).includes('upon')))
    const late = await Promise.all([
      follow(talk),
      follow(talk, 'live=1&after=2'),
      follow(talk, 'live=1&after=3'),
    ])
    for (const reader of late) {
      await reader.until(({ frames }) => frames.some(({ data }) => String(data['text']).includes('upon')))
      expect(textSo(reader)).toBe('Once upon ')
    }
    held.open()
    for (const reader of [early, ...late]) {
      await reader.until((one) => one.has('turn/end'))
      const indices = deltasOf(reader).map(({ index }) => index)
      expect(indices).toEqual(indices.map((_, at) => at))
      expect('Once upon a time.').toContain(textSo(reader))
    }
  })

  it('is left out where it is not asked for', async () => {
    const talk = gateway.open(say(['One ', 'two.']))
    const reader = await follow(talk, 'live=0')
    await talk.begin()
    await reader.until((one) => one.has('turn/end'))
    expect(reader.has('delta')).toBe(false)
  })

  it('is void after a reset, when another attempt starts over', async () => {
    const held = gate()
    const talk = gateway.open(
      cutAfter(2, say(['Half ', 'of ', 'it.'])),
      holdAfter(1, held, say(['All ', 'of it.'])),
    )
    const reader = await follow(talk)
    await talk.begin()
    await reader.until((one) => one.has('reset'))
    expect(reader.frames.find(({ event }) => event === 'reset')?.data).toEqual({
      turnId: 'f1',
      step: 1,
      attempt: 2,
    })
    const joined = await follow(talk)
    await joined.until((one) => one.has('delta'))
    expect(joined.has('reset')).toBe(false)
    expect(deltasOf(joined)[0]).toMatchObject({ attempt: 2, index: 0, text: 'All ' })
    held.open()
    await reader.until((one) => one.has('turn/end'))
  })
})

describe('readers', () => {
  it('that go away, whatever they were doing, leave the turn and the others alone', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['One ', 'two.'])))
    const going = await follow(talk)
    const staying = await follow(talk)
    await talk.begin()
    await going.until((one) => one.has('delta'))
    going.close()
    await eventually(async () => gateway.gateway.deps.tails.readers === 1)
    held.open()
    await staying.until((one) => one.has('turn/end'))
    expect(staying.ids()).toEqual([1, 2, 3, 4, 5, 6])
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'One two.' })
  })

  it('that take nothing are cut once they are too far behind, and the others have everything', async () => {
    const { client, store } = gateway.world
    const session = await client.createSession(gateway.world.newSessionId())
    const url = `${gateway.url}/v1/sessions/${session.id}/events?live=1`
    const staying = await StreamReader.open(url)
    onTestFinished(() => staying.close())
    await openStalledReader(url)
    const isCut = () => gateway.gateway.deps.metrics.text().includes('turnstep_readers_cut_total 1\n')
    const text = 'x'.repeat(128 * 1024)
    for (let index = 0; !isCut(); index += 1) {
      const delta = { turnId: 't1', step: 1, attempt: 1, index, text }
      await store.appendLive({ tenant: 'default', session: session.id }, [delta])
      await staying.until((one) => one.types().filter((type) => type === 'delta').length === index + 1)
    }
    expect(deltasOf(staying).map(({ index }) => index)).toEqual(deltasOf(staying).map((_, at) => at))
  })

  it('may be two hundred at one turn', async () => {
    const talk = gateway.open(say(Array.from({ length: 20 }, (_, at) => `${at} `)))
    const readers = await Promise.all(Array.from({ length: 200 }, () => follow(talk)))
    await Promise.all(readers.map((reader) => reader.until((one) => one.has('status'))))
    expect(gateway.gateway.deps.tails.readers).toBe(200)
    await talk.begin()
    await Promise.all(readers.map((reader) => reader.until((one) => one.has('turn/end'), 40_000)))
    for (const reader of readers) expect(reader.ids()).toEqual([1, 2, 3, 4, 5, 6])
    for (const reader of readers) reader.close()
    await eventually(async () => gateway.gateway.deps.tails.readers === 0)
  })
})

interface Delta {
  readonly index: number
  readonly text?: string
}

function deltasOf(reader: StreamReader): readonly Delta[] {
  return reader.frames.flatMap(({ event, data }) => (event === 'delta' ? [data as unknown as Delta] : []))
}

function textSo(reader: StreamReader): string {
  return deltasOf(reader)
    .map(({ text = '' }) => text)
    .join('')
}
