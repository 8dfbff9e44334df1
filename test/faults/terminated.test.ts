import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/client/index.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { callTools, hangAfter, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

describe('a workflow that is terminated from outside', () => {
  let world: TurnWorld
  let session: Session

  beforeEach(async () => {
    const input = { type: 'object' }
    const run = (_args: unknown, { signal }: { readonly signal: AbortSignal }) => untilStopped(signal)
    world = await TurnWorld.open({
      tools: [
        defineTool({ name: 'read', description: 'Reads.', effect: 'read', input, run }),
        defineTool({ name: 'send', description: 'Sends.', effect: 'once', input, run }),
      ],
    })
    session = world.client.session(world.newSessionId())
    await world.startWorker()
  })
  afterEach(() => world.close())

  it('while tools run, is closed by the next followup with one receipt for each call', async () => {
    world.model.enqueue(callTools({ tool: 'read' }, { tool: 'send' }), say('Here I am.'))
    await session.followup('Go.', { id: 'f1' })
    await toolsRun(2)
    await terminate()
    await session.followup('Are you there?', { id: 'f2' })
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'completed',
      text: 'Here I am.',
      turn: 2,
    })
    expect(await session.turn('f1').result()).toMatchObject({ reason: 'error', code: 'terminated' })
    expect(await receipts()).toEqual(['c1_1_0 cancelled', 'c1_1_1 outcome-unknown'])
    await world.settledLog(session.id)
  })

  it('while a message streams, is closed by whoever waits for its result, with the text that was shown', async () => {
    world.model.enqueue(hangAfter(1, say(['It ', 'is.'])), say('Here I am.'))
    await session.followup('Go.', { id: 'f1' })
    await eventually(async () => (await liveText()).length > 0)
    await terminate()
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'error',
      code: 'terminated',
      text: 'It ',
    })
    await world.settledLog(session.id)
    await session.followup('Are you there?', { id: 'f2' })
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({ text: 'Here I am.' })
    const { messages } = world.model.journal.chats.at(-1)?.body ?? { messages: [] }
    expect(messages.filter(({ role }) => role === 'assistant').map(chatText)[0]).toBe(
      'It\n\n[This message was interrupted here.]',
    )
  })

  it('is closed by an abort, which says how it ended', async () => {
    world.model.enqueue(callTools({ tool: 'send' }))
    await session.followup('Go.', { id: 'f1' })
    await toolsRun(1)
    await terminate()
    expect(await session.abort({ timeoutMs: 20_000 })).toEqual({
      turnId: 'f1',
      reason: 'error',
      inputs: [{ id: 'f1', fate: 'claimed' }],
    })
    await expect(session.abort()).rejects.toMatchObject({ code: 'turn-not-running' })
    await world.settledLog(session.id)
  })

  it('B06: is closed once, however many find it', async () => {
    world.model.enqueue(callTools({ tool: 'read' }, { tool: 'send' }), say('Here I am.'))
    await session.followup('Go.', { id: 'f1' })
    await toolsRun(2)
    await terminate()
    const found = await Promise.all([
      session.turn('f1').result({ timeoutMs: 20_000 }),
      session.abort({ turnId: 'f1', timeoutMs: 20_000 }),
      session.whenIdle({ timeoutMs: 20_000 }),
      world.client.session(session.id).turn('f1').result({ timeoutMs: 20_000 }),
    ])
    expect(found).toMatchObject([
      { reason: 'error', code: 'terminated' },
      { reason: 'error' },
      undefined,
      { reason: 'error', code: 'terminated' },
    ])
    expect(await receipts()).toEqual(['c1_1_0 cancelled', 'c1_1_1 outcome-unknown'])
    await world.settledLog(session.id)
  })

  it('tells of an input that went with it, which can be sent again', async () => {
    world.model.enqueue(callTools({ tool: 'send' }), say('Here I am.'))
    await session.followup('Go.', { id: 'f1' })
    await toolsRun(1)
    await session.followup('And then?', { id: 'f2' })
    await terminate()
    await expect(session.turn('f2').result({ timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'input-not-found',
    })
    await session.followup('And then?', { id: 'f2' })
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({ text: 'Here I am.' })
    await world.settledLog(session.id)
  })

  async function terminate(): Promise<void> {
    await world.temporal.workflow.getHandle(`turnstep:default:${session.id}`).terminate('test')
  }

  async function toolsRun(count: number): Promise<void> {
    let running = 0
    for await (const event of session.events({ follow: true })) {
      if (event.type === 'tool/call') running += 1
      if (running === count) return
    }
  }

  async function receipts(): Promise<readonly string[]> {
    const log = await world.log(session.id)
    return log.flatMap((event) => (event.type === 'tool/result' ? [`${event.callId} ${event.kind}`] : []))
  }

  async function liveText(): Promise<readonly unknown[]> {
    return world.store.readLive({ tenant: 'default', session: session.id })
  }
})

function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
