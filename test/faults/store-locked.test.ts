import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { eventually } from '../support/eventually.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'

describe("another process's lock on the store", () => {
  let world: TurnWorld
  let other: Database.Database

  beforeEach(async () => {
    world = await TurnWorld.open({})
    other = new Database(world.dbPath)
  })
  afterEach(async () => {
    other.close()
    await world.close()
  })

  it('that outlasts a call, at the opening, makes the Turn wait', async () => {
    world.model.enqueue(say('Hello.'))
    other.exec('BEGIN IMMEDIATE')
    await world.startWorker()
    const session = world.client.session(world.newSessionId())
    await session.followup('Hello?', { id: 'f1' })
    await eventually(async () => (await attemptsOf(session.id)) >= 2)
    other.exec('COMMIT')
    await expectAnswered(session.id)
  })

  it('while a message streams, delays the message and loses nothing', async () => {
    const hold = gate()
    world.model.enqueue(holdAfter(1, hold, say(['Hel', 'lo.'])))
    await world.startWorker()
    const session = world.client.session(world.newSessionId())
    await session.followup('Hello?', { id: 'f1' })
    const request = await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
    other.exec('BEGIN IMMEDIATE')
    hold.open()
    await world.model.journal.waitFor((entry) => entry === request && entry.endedAt !== undefined)
    await expect(session.turn('f1').result({ timeoutMs: 1_500 })).rejects.toMatchObject({ code: 'timed-out' })
    other.exec('COMMIT')
    await expectAnswered(session.id)
  })

  async function expectAnswered(sessionId: string): Promise<void> {
    const result = await world.client.session(sessionId).turn('f1').result({ timeoutMs: 30_000 })
    expect(result).toMatchObject({ reason: 'completed', text: 'Hello.' })
    expect(sequenceOf(await world.settledLog(sessionId))).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(world.model.journal.count).toBe(1)
  }

  /** Attempts of the activity that is pending. */
  async function attemptsOf(sessionId: string): Promise<number> {
    const { raw } = await world.temporal.workflow.getHandle(`turnstep:default:${sessionId}`).describe()
    return raw.pendingActivities?.[0]?.attempt ?? 0
  }
})
