import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/client/index.ts'
import type { Event } from '../../src/core/event.ts'
import { type Gate, gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { jsonPayload, sendRawSignal } from '../support/raw-signal.ts'
import { TurnWorld } from '../support/turn-world.ts'

describe('signals beyond the limits of the inbox', () => {
  let world: TurnWorld
  let session: Session
  let hold: Gate

  beforeEach(async () => {
    hold = gate()
    world = await TurnWorld.open({
      respond: (_request, { number }) =>
        number === 1 ? holdAfter(1, hold, say(['One ', 'answer.'])) : say('Another answer.'),
    })
    await world.startWorker()
    session = world.client.session(world.newSessionId())
    await session.followup('Hello?', { id: 'f1' })
    await world.model.journal.waitFor((entry) => entry.chunksSent === 1)
  })
  afterEach(() => world.close())

  it('that are too large each are refused with their ids, and the Session lives', async () => {
    for (const [id, bytes] of [
      ['fits', 64 * 1024 - 200],
      ['above', 64 * 1024],
      ['far-above', 1_500_000],
    ] as const)
      await send('steer', id, 'x'.repeat(bytes))
    await send('followup', 'in-bytes', '€'.repeat(22_000))
    hold.open()
    expect(await session.turn('fits').result({ timeoutMs: 20_000 })).toMatchObject({
      fate: 'claimed',
      turnId: 'f1',
    })
    await expectAlive()
    expect(refusals(await world.settledLog(session.id))).toEqual([
      'above too-large',
      'far-above too-large',
      'in-bytes too-large',
    ])
  })

  it('that are too large together are refused from the first that does not fit', async () => {
    const content = 'x'.repeat(60_000)
    for (let number = 1; number <= 10; number += 1) await send('followup', `large-${number}`, content)
    hold.open()
    expect(await session.turn('large-8').result({ timeoutMs: 40_000 })).toMatchObject({ fate: 'claimed' })
    await expectAlive()
    expect(refusals(await world.settledLog(session.id))).toEqual([
      'large-9 inbox-full',
      'large-10 inbox-full',
    ])
  })

  it('that are too many are refused from the 501st, and a stop withdraws the rest', async () => {
    for (let hundred = 0; hundred < 500; hundred += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => send('followup', `f-${hundred + index}`, 'Me, too.')),
      )
    for (let number = 1; number <= 3; number += 1) await send('followup', `late-${number}`, 'And me.')
    await send('steer', 'late-4', 'And me.')
    const aborted = await session.abort({ timeoutMs: 30_000 })
    expect(aborted.reason).toBe('aborted')
    expect(aborted.inputs.filter(({ fate }) => fate === 'withdrawn')).toHaveLength(500)
    await session.whenIdle({ timeoutMs: 10_000 })
    await expectAlive()
    const log = await world.settledLog(session.id)
    expect(log.filter(({ type }) => type === 'input/withdrawn')).toHaveLength(500)
    expect(refusals(log)).toEqual([
      'late-1 inbox-full',
      'late-2 inbox-full',
      'late-3 inbox-full',
      'late-4 inbox-full',
    ])
  })

  async function send(name: 'followup' | 'steer', id: string, content: string): Promise<void> {
    await sendRawSignal(world, session.id, { name, payloads: [jsonPayload(JSON.stringify({ id, content }))] })
  }

  async function expectAlive(): Promise<void> {
    await session.followup('Are you there?', { id: 'last' })
    expect(await session.turn('last').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'completed',
      text: 'Another answer.',
    })
    await session.whenIdle({ timeoutMs: 10_000 })
  }
})

function refusals(log: readonly Event[]): readonly string[] {
  return log.flatMap((event) => (event.type === 'input/refused' ? [`${event.inputId} ${event.reason}`] : []))
}
