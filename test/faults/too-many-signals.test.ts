import { describe, expect, it } from 'vitest'
import { type Gate, gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { type Conversation, sharedWorld } from '../support/conversations.ts'
import { jsonPayload, sendRawSignal } from '../support/raw-signal.ts'

const cases = sharedWorld()

/** A Session whose first message streams until the gate opens. */
async function begin(): Promise<{ readonly talk: Conversation; readonly hold: Gate }> {
  const hold = gate()
  const later = Array.from({ length: 10 }, () => say('Another answer.'))
  const talk = cases.open(holdAfter(1, hold, say(['One ', 'answer.'])), ...later)
  await talk.begin()
  await talk.streaming()
  return { talk, hold }
}

async function send(talk: Conversation, name: string, id: string, content: string): Promise<void> {
  const payloads = [jsonPayload(JSON.stringify({ id, content }))]
  await sendRawSignal(cases.world, talk.session.id, { name, payloads })
}

async function expectAlive(talk: Conversation): Promise<void> {
  await talk.session.followup('Are you there?', { id: 'last' })
  expect(await talk.result('last')).toMatchObject({ reason: 'completed', text: 'Another answer.' })
}

async function refusals(talk: Conversation): Promise<readonly string[]> {
  return (await talk.log()).flatMap((event) =>
    event.type === 'input/refused' ? [`${event.inputId} ${event.reason}`] : [],
  )
}

describe.concurrent('signals beyond the limits of the inbox', () => {
  it('that are too large each are refused with their ids, and the Session lives', async () => {
    const { talk, hold } = await begin()
    await send(talk, 'steer', 'fits', 'x'.repeat(64 * 1024 - 200))
    await send(talk, 'steer', 'above', 'x'.repeat(64 * 1024))
    await send(talk, 'steer', 'far-above', 'x'.repeat(1_500_000))
    await send(talk, 'followup', 'in-bytes', '€'.repeat(22_000))
    hold.open()
    expect(await talk.result('fits')).toMatchObject({ fate: 'claimed', turnId: 'f1' })
    await expectAlive(talk)
    expect(await refusals(talk)).toEqual(['above too-large', 'far-above too-large', 'in-bytes too-large'])
  })

  it('that are too large together are refused from the first that does not fit', async () => {
    const { talk, hold } = await begin()
    const content = 'x'.repeat(60_000)
    for (let number = 1; number <= 10; number += 1) await send(talk, 'followup', `large-${number}`, content)
    hold.open()
    expect(await talk.result('large-8')).toMatchObject({ fate: 'claimed' })
    await expectAlive(talk)
    expect(await refusals(talk)).toEqual(['large-9 inbox-full', 'large-10 inbox-full'])
  })

  it('that are too many are refused from the 501st, and a stop withdraws the rest', async () => {
    const { talk } = await begin()
    for (let hundred = 0; hundred < 500; hundred += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => send(talk, 'followup', `f-${hundred + index}`, 'Me, too.')),
      )
    for (const id of ['late-1', 'late-2']) await send(talk, 'followup', id, 'And me.')
    await send(talk, 'steer', 'late-3', 'And me.')
    const aborted = await talk.session.abort({ timeoutMs: 30_000 })
    expect(aborted.reason).toBe('aborted')
    expect(aborted.inputs.filter(({ fate }) => fate === 'withdrawn')).toHaveLength(500)
    expect((await talk.log()).filter(({ type }) => type === 'input/withdrawn')).toHaveLength(500)
    await expectAlive(talk)
    expect(await refusals(talk)).toEqual(['late-1 inbox-full', 'late-2 inbox-full', 'late-3 inbox-full'])
  })
})
