import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Turnstep } from '../../src/client/index.ts'
import { isTurnstepError } from '../../src/core/errors.ts'
import type { Event, EventOf } from '../../src/core/event.ts'
import { say } from '../../src/testing/scripted-answer.ts'
import { TurnWorld } from '../support/turn-world.ts'

const SESSIONS = 5
const INPUTS = 100
const ABORTS = 40

describe('under fire at the end of Turns', () => {
  let world: TurnWorld
  let clients: readonly Turnstep[]

  beforeEach(async () => {
    world = await TurnWorld.open({ respond: () => say('ok') })
    await world.startWorker()
    const { temporal, store, taskQueue } = world
    clients = [0, 1, 2].map(() => new Turnstep({ temporal, store, taskQueue }))
  })
  afterEach(() => world.close())

  /** Acts once for each answer in the log, so right before the Turn ends, until `act` says that it is done. */
  async function atEachAnswer(
    sessionId: string,
    act: (event: Event, count: number) => boolean,
  ): Promise<void> {
    const stop = new AbortController()
    let count = 0
    const session = world.client.session(sessionId)
    for await (const event of session.events({ follow: true, signal: stop.signal })) {
      if (event.type !== 'assistant/message') continue
      count += 1
      if (act(event, count)) stop.abort()
    }
  }

  it('loses and doubles none of 500 steers and followups from three clients', {
    timeout: 180_000,
  }, async () => {
    const sessions = Array.from({ length: SESSIONS }, () => world.newSessionId())
    await Promise.all(
      sessions.map(async (id) => {
        const sending: Promise<unknown>[] = []
        let sent = 0
        const send = (): void => {
          for (let burst = 0; burst < 2 && sent < INPUTS; burst += 1) {
            sent += 1
            const client = clients[sent % clients.length] as Turnstep
            const session = client.session(id)
            const options = { id: `i${sent}` }
            sending.push(
              sent % 2 === 0 ? session.steer('steer', options) : session.followup('followup', options),
            )
          }
        }
        send()
        await atEachAnswer(id, () => {
          send()
          return sent >= INPUTS
        })
        await Promise.all(sending)
        await world.client.session(id).whenIdle({ timeoutMs: 90_000 })
        const log = await world.settledLog(id)
        const claimed = log.filter((event): event is EventOf<'user/message'> => event.type === 'user/message')
        const expected = Array.from({ length: INPUTS }, (_, index) => `i${index + 1}`)
        expect(claimed.map(({ inputId }) => inputId).toSorted()).toEqual(expected.toSorted())
      }),
    )
  })

  it('adds no event, Turn or model call when ids are sent again, also to an idle Session', async () => {
    const session = world.client.session(world.newSessionId())
    for (const id of ['a', 'b', 'c']) await session.followup('hello', { id })
    await session.whenIdle({ timeoutMs: 30_000 })
    const before = await world.settledLog(session.id)
    const calls = world.model.journal.count
    await Promise.all(['a', 'b', 'c', 'a'].map((id) => session.followup('hello', { id })))
    await session.steer('hello', { id: 'b' })
    await session.whenIdle({ timeoutMs: 30_000 })
    expect(await world.settledLog(session.id)).toEqual(before)
    expect(world.model.journal.count).toBe(calls)
  })

  it('records each of 200 aborts that race the end and the next Turn', { timeout: 180_000 }, async () => {
    const sessions = Array.from({ length: SESSIONS }, () => world.newSessionId())
    await Promise.all(
      sessions.map(async (id) => {
        const session = world.client.session(id)
        const aborting: Promise<void>[] = []
        for (let sent = 1; sent <= 5; sent += 1) await session.followup('go', { id: `f${sent}` })
        let sent = 5
        await atEachAnswer(id, (event, count) => {
          sent += 1
          void session.followup('go', { id: `f${sent}` })
          aborting.push(abortAndCompare(id, event.turnId ?? ''))
          return count >= ABORTS
        })
        await Promise.all(aborting)
        await session.whenIdle({ timeoutMs: 90_000 })
        await world.settledLog(id)
      }),
    )
  })

  /** What an abort answers is what the log says; one that came too late says so. */
  async function abortAndCompare(sessionId: string, turnId: string): Promise<void> {
    const session = world.client.session(sessionId)
    try {
      const answer = await session.abort({ turnId, queue: 'run', timeoutMs: 60_000 })
      const log = await world.log(sessionId)
      const end = log.find((event) => event.type === 'turn/end' && event.turnId === turnId)
      expect(end).toMatchObject({ reason: answer.reason, inputs: answer.inputs })
    } catch (error) {
      if (!isTurnstepError(error) || error.code !== 'turn-not-running') throw error
    }
  }
})
