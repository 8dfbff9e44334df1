import type { Payload } from '@temporalio/common'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/client/index.ts'
import { workflowIdOf } from '../../src/core/ids.ts'
import { type Gate, gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { jsonPayload, rawPayload, sendRawSignal } from '../support/raw-signal.ts'
import { TurnWorld } from '../support/turn-world.ts'

const NOT_UTF8 = Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])

/** Payloads that no input can be read from, by what is wrong with them. */
const UNREADABLE: Readonly<Record<string, readonly Payload[] | undefined>> = {
  'no payloads at all': undefined,
  'an empty list': [],
  'a null': [rawPayload('binary/null', '')],
  'a JSON null': [jsonPayload('null')],
  'a text': [jsonPayload('"hello"')],
  'a number': [jsonPayload('42')],
  'a list': [jsonPayload('[{"id":"x1","content":"hello"}]')],
  'an empty object': [jsonPayload('{}')],
  'JSON that breaks off': [jsonPayload('{"id":"x1","content":"hel')],
  'no bytes': [jsonPayload('')],
  'bytes that are no UTF-8': [rawPayload('json/plain', NOT_UTF8)],
  'ten thousand open brackets': [jsonPayload('['.repeat(10_000))],
  'a nest ten thousand deep': [jsonPayload(`{"id":"n1","content":${'['.repeat(1e4)}${']'.repeat(1e4)}}`)],
  'plain bytes': [rawPayload('binary/plain', NOT_UTF8)],
  'an encryption that we do not know': [rawPayload('binary/encrypted', NOT_UTF8)],
  'an encoding that nobody knows': [rawPayload('x-unknown/1', '{"id":"x1","content":"hello"}')],
  'no encoding': [rawPayload(undefined, '{"id":"x1","content":"hello"}')],
  'a protobuf message': [rawPayload('json/protobuf', '{"id":"x1"}')],
  'no id': [jsonPayload('{"content":"hello"}')],
  'an id with a space': [jsonPayload('{"id":"x 1","content":"hello"}')],
  'an id that is too long': [jsonPayload(`{"id":"${'x'.repeat(129)}","content":"hello"}`)],
  'an id that is a number': [jsonPayload('{"id":1,"content":"hello"}')],
  'a later version': [jsonPayload('{"v":99,"id":"v99","content":"hello"}')],
  'no content': [jsonPayload('{"id":"c1"}')],
  'an empty content': [jsonPayload('{"id":"c2","content":"  "}')],
  'a content that is a number': [jsonPayload('{"id":"c3","content":7}')],
  'a part of an unknown type': [jsonPayload('{"id":"c4","content":[{"type":"hologram","ref":"x"}]}')],
  'a list without parts': [jsonPayload('{"id":"c5","content":[]}')],
  'an unknown policy': [jsonPayload('{"id":"p1","content":"hello","ifStale":"explode"}')],
  'an unreadable Turn': [jsonPayload('{"id":"p2","content":"hello","expectedTurnId":"a b"}')],
  'a tampered prototype': [jsonPayload('{"__proto__":{"id":"x1","content":"hello"}}')],
}
const NAMES = ['followup', 'steer'] as const

describe('a poisoned signal', () => {
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

  it.each(NAMES)(
    'of the name %s is refused, whatever is wrong with it, and the Session lives',
    async (name) => {
      for (const payloads of Object.values(UNREADABLE))
        await sendRawSignal(world, session.id, { name, ...(payloads === undefined ? {} : { payloads }) })
      await expectAlive()
      const refused = await refusals()
      expect(refused).toHaveLength(Object.keys(UNREADABLE).length)
      expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['invalid-input']))
      expect(refused.map(({ id }) => id).filter((id) => !id.startsWith('refused-'))).toEqual([
        'n1',
        'v99',
        'c1',
        'c2',
        'c3',
        'c4',
        'c5',
        'p1',
        'p2',
      ])
    },
  )

  it('of a name that nobody knows is refused, with its id where it has one', async () => {
    await sendRawSignal(world, session.id, {
      name: 'folowup',
      payloads: [jsonPayload('{"id":"u1","content":"hello"}')],
    })
    for (const name of ['toString', '__proto__', 'followup ', 'x'.repeat(200)])
      await sendRawSignal(world, session.id, { name, payloads: [rawPayload('binary/encrypted', NOT_UTF8)] })
    await sendRawSignal(world, session.id, { name: 'empty' })
    await expectAlive()
    const refused = await refusals()
    expect(refused.map(({ id }) => id.replace(/^refused-.*/, 'refused'))).toEqual([
      'u1',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
    ])
  })

  it.each(['stop', 'wake', 'interrupt'])('of the name %s stops nothing', async (name) => {
    const unreadable = [
      rawPayload('binary/encrypted', NOT_UTF8),
      jsonPayload('{"queue":"with'),
      jsonPayload('"f1"'),
      jsonPayload('[]'),
      jsonPayload('{"v":99}'),
      jsonPayload('{"turnId":"a b"}'),
      jsonPayload('{"queue":"keep"}'),
      jsonPayload('{"mode":"later"}'),
    ]
    await session.followup('And then?', { id: 'f2' })
    for (const payload of unreadable) await sendRawSignal(world, session.id, { name, payloads: [payload] })
    await expectAlive()
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({ reason: 'completed' })
  })

  it('does not take the fate of a good one with the same id', async () => {
    await session.followup('And then?', { id: 'f2' })
    await sendRawSignal(world, session.id, {
      name: 'steer',
      payloads: [jsonPayload('{"id":"f2","content":7}')],
    })
    await expectAlive()
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toMatchObject({
      fate: 'claimed',
      turnId: 'f2',
    })
  })

  it('keeps the fate that it has when a good one with the same id follows', async () => {
    await sendRawSignal(world, session.id, {
      name: 'steer',
      payloads: [jsonPayload('{"id":"f2","content":7}')],
    })
    await session.followup('And then?', { id: 'f2' })
    await expectAlive()
    expect(await session.turn('f2').result({ timeoutMs: 20_000 })).toEqual({
      fate: 'refused',
      reason: 'invalid-input',
    })
    expect((await world.settledLog(session.id)).filter(({ type }) => type === 'turn/start')).toHaveLength(2)
  })

  it('to an idle Session is refused, and opens no Turn', async () => {
    hold.open()
    await session.whenIdle({ timeoutMs: 20_000 })
    const workflowId = workflowIdOf({ tenant: 'default', session: session.id })
    await world.temporal.workflow.signalWithStart('turnWorkflow', {
      workflowId,
      taskQueue: world.taskQueue,
      signal: 'followup',
      signalArgs: [null],
    })
    await expectAlive()
    expect(await refusals()).toMatchObject([{ reason: 'invalid-input' }])
  })

  it.each([
    [null],
    ['hello'],
    [[]],
    [{ inbox: 5 }],
    [{ inbox: { nextTurn: [null, 7, {}] } }],
    [{ turn: {} }],
  ])('that opens a workflow with %j holds nothing up', async (opening) => {
    hold.open()
    await session.whenIdle({ timeoutMs: 20_000 })
    const workflowId = workflowIdOf({ tenant: 'default', session: session.id })
    await world.temporal.workflow.start('turnWorkflow', {
      workflowId,
      taskQueue: world.taskQueue,
      args: [opening],
    })
    await expectAlive()
  })

  /** The Turn ends well, and so does the next. */
  async function expectAlive(): Promise<void> {
    hold.open()
    expect(await session.turn('f1').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'completed',
      text: 'One answer.',
      inputs: expect.arrayContaining([{ id: 'f1', fate: 'claimed' }]),
    })
    await session.followup('Are you there?', { id: 'last' })
    expect(await session.turn('last').result({ timeoutMs: 20_000 })).toMatchObject({
      reason: 'completed',
      text: 'Another answer.',
    })
    await session.whenIdle({ timeoutMs: 10_000 })
    await world.settledLog(session.id)
  }

  async function refusals(): Promise<readonly { readonly id: string; readonly reason: string }[]> {
    const log = await world.log(session.id)
    return log.flatMap((event) =>
      event.type === 'input/refused' ? [{ id: event.inputId, reason: event.reason }] : [],
    )
  }
})
