import { afterEach, describe, expect, it } from 'vitest'
import type { EventOf } from '../../src/core/event.ts'
import { workflowIdOf } from '../../src/core/ids.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { sequenceOf, TurnWorld, type WorldOptions } from '../support/turn-world.ts'

describe('aborting a Turn', () => {
  let world: TurnWorld | undefined
  afterEach(() => world?.close())

  async function open(options: WorldOptions): Promise<TurnWorld> {
    world = await TurnWorld.open(options)
    await world.startWorker()
    return world
  }

  it('cuts a request that hangs, keeps the text that was seen, and marks it in the next request', async () => {
    const { client, model, newSessionId, settledLog } = bound(
      await open({
        script: [
          { text: ['The answer ', 'is 42'], interruptions: [{ kind: 'hang', afterChunks: 1 }] },
          say('As I was saying.'),
        ],
      }),
    )
    const session = client.session(newSessionId())
    await session.followup('Ask', { id: 'f1' })
    await model.journal.waitFor((entry) => entry.chunksSent === 1)
    await shownLive(session.events({ live: true, follow: true }), 'The answer ')
    expect(await session.abort()).toEqual({
      turnId: 'f1',
      reason: 'aborted',
      inputs: [{ id: 'f1', fate: 'claimed' }],
    })
    expect(model.journal.chats[0]?.abortedAt).toBeGreaterThan(0)
    expect(sequenceOf(await settledLog(session.id))).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    const { inputId } = await session.followup('Go on')
    await session.turn(inputId).result({ timeoutMs: 20_000 })
    const texts = model.journal.chats[1]?.body.messages
      .filter(({ role }) => role === 'assistant')
      .map(chatText)
    expect(texts?.[0]).toBe('The answer\n\n[This message was interrupted here.]')
  })

  it('ends the workflow as Canceled when no Turn follows', async () => {
    const { client, model, newSessionId, temporal } = bound(await open({ script: [{ kind: 'hang' }] }))
    const session = client.session(newSessionId())
    await session.followup('Ask')
    await model.journal.waitFor(() => true)
    await session.abort()
    await session.whenIdle({ timeoutMs: 20_000 })
    const { status } = await temporal.workflow
      .getHandle(workflowIdOf({ tenant: 'default', session: session.id }))
      .describe()
    expect(status.name).toBe('CANCELLED')
  })

  it.each([
    ['withdraw', 'input/withdrawn', 'input/withdrawn'],
    ['run', 'user/message', 'user/message'],
  ] as const)('with %s settles the inputs that wait accordingly', async (queue, followupFate, steerFate) => {
    const { client, model, newSessionId, settledLog } = bound(
      await open({ respond: (_request, entry) => (entry.number === 1 ? { kind: 'hang' } : say('ok')) }),
    )
    const session = client.session(newSessionId())
    await session.followup('Ask', { id: 'f1' })
    await model.journal.waitFor(() => true)
    await session.followup('Later', { id: 'f2' })
    await session.steer('Now', { id: 's1' })
    const { reason } = await session.abort({ queue })
    expect(reason).toBe('aborted')
    await session.whenIdle({ timeoutMs: 20_000 })
    const log = await settledLog(session.id)
    const fate = (id: string) => log.find((event) => 'inputId' in event && event.inputId === id)?.type
    expect([fate('f2'), fate('s1')]).toEqual([followupFate, steerFate])
    expect(log.filter((event) => event.type === 'turn/start')).toHaveLength(queue === 'run' ? 2 : 1)
  })

  it.each([
    ['honours the signal', 'read', 'cancelled'],
    ['honours the signal', 'once', 'outcome-unknown'],
    ['ignores the signal', 'read', 'cancelled'],
    ['ignores the signal', 'once', 'outcome-unknown'],
  ] as const)('settles a tool that %s (%s) as %s', async (behaviour, effect, kind) => {
    const started = gate()
    const never = gate()
    const slow = defineTool({
      name: 'slow',
      description: 'Takes long.',
      effect,
      input: { type: 'object' },
      run: (_args, { signal }) =>
        new Promise<string>((resolve, reject) => {
          started.open()
          void never.opened.then(() => resolve('late'))
          if (behaviour === 'honours the signal')
            signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    const { client, newSessionId, settledLog } = bound(
      await open({
        tools: [slow],
        respond: (_request, { number }) => (number === 1 ? callTools({ tool: 'slow' }) : say('ok')),
      }),
    )
    const session = client.session(newSessionId())
    await session.followup('Ask')
    await started.opened
    await session.abort()
    const receipts = (await settledLog(session.id)).filter(
      (event): event is EventOf<'tool/result'> => event.type === 'tool/result',
    )
    expect(receipts.map((receipt) => receipt.kind)).toEqual([kind])
    const { inputId } = await session.followup('Next')
    expect(await session.turn(inputId).result({ timeoutMs: 20_000 })).toMatchObject({ reason: 'completed' })
    never.open()
  })

  it('records what a tool really returned when it was told to stop', async () => {
    const started = gate()
    const tool = defineTool({
      name: 'careful',
      description: 'Stops cleanly.',
      input: { type: 'object' },
      run: (_args, { signal }) =>
        new Promise<string>((resolve) => {
          started.open()
          signal.addEventListener('abort', () => resolve('stopped after 3 of 5'))
        }),
    })
    const { client, newSessionId, settledLog } = bound(
      await open({ tools: [tool], script: [callTools({ tool: 'careful' })] }),
    )
    const session = client.session(newSessionId())
    await session.followup('Ask')
    await started.opened
    await session.abort()
    const receipt = (await settledLog(session.id)).find((event) => event.type === 'tool/result')
    expect(receipt).toMatchObject({ kind: 'ok', content: 'stopped after 3 of 5' })
  })

  it('of a Turn that is over changes nothing and says so', async () => {
    const { client, newSessionId, settledLog } = bound(await open({ script: [say('done')] }))
    const session = client.session(newSessionId())
    await session.followup('Ask', { id: 'f1' })
    await session.turn('f1').result({ timeoutMs: 20_000 })
    const before = await settledLog(session.id)
    await expect(session.abort({ turnId: 'f1' })).rejects.toMatchObject({ code: 'turn-not-running' })
    await expect(session.abort()).rejects.toMatchObject({ code: 'turn-not-running' })
    expect(await settledLog(session.id)).toEqual(before)
  })

  it('takes the id of any input that the Turn claimed', async () => {
    const { client, model, newSessionId } = bound(
      await open({
        respond: (_request, { number }) => (number === 2 ? { kind: 'hang' } : callTools({ tool: 'none' })),
      }),
    )
    const session = client.session(newSessionId())
    await session.followup('Ask', { id: 'f1' })
    await session.steer('Also', { id: 's1' })
    await model.journal.waitFor((entry) => entry.number === 2)
    expect(await session.abort({ turnId: 's1' })).toMatchObject({ turnId: 'f1', reason: 'aborted' })
  })

  it('reaches a Turn that goes on in another run', { timeout: 120_000 }, async () => {
    const { client, model, newSessionId, settledLog } = bound(
      await open({
        limits: { maxSteps: 200 },
        tools: [
          defineTool({
            name: 'count',
            description: 'Counts.',
            effect: 'read',
            input: { type: 'object', properties: { n: {} } },
            run: async (args) => args,
          }),
        ],
        respond: (_request, { number }) =>
          number > 103 ? { kind: 'hang' } : callTools({ tool: 'count', arguments: { n: number } }),
      }),
    )
    const session = client.session(newSessionId())
    await session.followup('Count', { id: 'f1' })
    await model.journal.waitFor((entry) => entry.number === 104, 100_000)
    expect(await session.abort({ turnId: 'f1' })).toMatchObject({ reason: 'aborted' })
    const log = await settledLog(session.id)
    expect(log.filter((event) => event.type === 'turn/continued')).toHaveLength(1)
    expect(log.filter((event) => event.type === 'turn/start')).toHaveLength(1)
  })
})

function bound(world: TurnWorld) {
  const { client, model, temporal } = world
  return {
    client,
    model,
    temporal,
    newSessionId: () => world.newSessionId(),
    settledLog: (id: string) => world.settledLog(id),
  }
}

/** Reads live text until it has shown this much. */
async function shownLive(
  items: AsyncGenerator<{ readonly kind: string; readonly delta?: { readonly text?: string } }>,
  text: string,
): Promise<void> {
  let shown = ''
  for await (const item of items) {
    shown += item.delta?.text ?? ''
    if (shown.includes(text)) return
  }
}
