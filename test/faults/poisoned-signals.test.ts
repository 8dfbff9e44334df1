import type { Payload } from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { type Gate, gate } from '../../src/testing/gate.ts'
import { holdAfter, say } from '../../src/testing/scripted-answer.ts'
import { type Conversation, sharedWorld } from '../support/conversations.ts'
import { jsonPayload, rawPayload, sendRawSignal } from '../support/raw-signal.ts'

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

const cases = sharedWorld()

/** A Session whose first message streams until the gate opens. */
async function begin(): Promise<{ readonly talk: Conversation; readonly hold: Gate }> {
  const hold = gate()
  const later = Array.from({ length: 4 }, () => say('Another answer.'))
  const talk = cases.open(holdAfter(1, hold, say(['One ', 'answer.'])), ...later)
  await talk.begin()
  await talk.streaming()
  return { talk, hold }
}

async function send(talk: Conversation, name: string, payloads?: readonly Payload[]): Promise<void> {
  await sendRawSignal(cases.world, talk.session.id, { name, ...(payloads === undefined ? {} : { payloads }) })
}

/** The Turn ends well, and so does the next. */
async function expectAlive({
  talk,
  hold,
}: {
  readonly talk: Conversation
  readonly hold: Gate
}): Promise<void> {
  hold.open()
  expect(await talk.result('f1')).toMatchObject({
    reason: 'completed',
    text: 'One answer.',
    inputs: expect.arrayContaining([{ id: 'f1', fate: 'claimed' }]),
  })
  await talk.session.followup('Are you there?', { id: 'last' })
  expect(await talk.result('last')).toMatchObject({ reason: 'completed', text: 'Another answer.' })
  await talk.log()
}

async function refusals(
  talk: Conversation,
): Promise<readonly { readonly id: string; readonly reason: string }[]> {
  return (await talk.log()).flatMap((event) =>
    event.type === 'input/refused' ? [{ id: event.inputId, reason: event.reason }] : [],
  )
}

describe.concurrent('a poisoned signal', () => {
  it.each(['followup', 'steer'])('of the name %s is refused, whatever is wrong with it', async (name) => {
    const begun = await begin()
    for (const payloads of Object.values(UNREADABLE)) await send(begun.talk, name, payloads)
    await expectAlive(begun)
    const refused = await refusals(begun.talk)
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
  })

  it('of a name that nobody knows is refused, with its id where it has one', async () => {
    const begun = await begin()
    await send(begun.talk, 'folowup', [jsonPayload('{"id":"u1","content":"hello"}')])
    for (const name of ['toString', '__proto__', 'followup ', 'x'.repeat(200)])
      await send(begun.talk, name, [rawPayload('binary/encrypted', NOT_UTF8)])
    await send(begun.talk, 'empty')
    await expectAlive(begun)
    const refused = await refusals(begun.talk)
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
    const begun = await begin()
    await begun.talk.session.followup('And then?', { id: 'f2' })
    for (const payload of unreadable) await send(begun.talk, name, [payload])
    await expectAlive(begun)
    expect(await begun.talk.result('f2')).toMatchObject({ reason: 'completed' })
  })

  it('does not take the fate of a good one with the same id', async () => {
    const begun = await begin()
    await begun.talk.session.followup('And then?', { id: 'f2' })
    await send(begun.talk, 'steer', [jsonPayload('{"id":"f2","content":7}')])
    await expectAlive(begun)
    expect(await begun.talk.result('f2')).toMatchObject({ fate: 'claimed', turnId: 'f2' })
  })

  it('keeps the fate that it has when a good one with the same id follows', async () => {
    const begun = await begin()
    await send(begun.talk, 'steer', [jsonPayload('{"id":"f2","content":7}')])
    await begun.talk.session.followup('And then?', { id: 'f2' })
    await expectAlive(begun)
    expect(await begun.talk.result('f2')).toEqual({ fate: 'refused', reason: 'invalid-input' })
    expect((await begun.talk.log()).filter(({ type }) => type === 'turn/start')).toHaveLength(2)
  })

  it('that refers to what is no content is refused when it is claimed', async () => {
    const begun = await begin()
    const { talk } = begun
    const { store } = cases.world
    const [start] = await cases.world.log(talk.session.id)
    const snapshot = start?.type === 'turn/start' ? start.agentDigest : ''
    const text = await store.putContent('default', 'Hello, I am no JSON.')
    const blank = await store.putContent('default', '"  "')
    const nested = await store.putContent('default', JSON.stringify({ ref: text, sizeBytes: 5 }))
    for (const [index, ref] of ['nowhere', '../../etc', snapshot, text, blank, nested].entries()) {
      const name = index % 2 === 0 ? 'steer' : 'followup'
      await send(talk, name, [
        jsonPayload(JSON.stringify({ id: `r${index}`, content: { ref, sizeBytes: 5 } })),
      ])
    }
    await expectAlive(begun)
    const refused = await refusals(talk)
    expect(refused.map(({ id, reason }) => `${id} ${reason}`).sort()).toEqual([
      'r0 content-missing',
      'r1 content-missing',
      'r2 content-missing',
      'r3 content-missing',
      'r4 content-missing',
      'r5 content-missing',
    ])
  })

  it('of a large text that is not well formed is made so', async () => {
    const begun = await begin()
    await begun.talk.session.followup(`half \ud83d, NUL \0, ${'long '.repeat(5_000)}`, { id: 'f2' })
    await expectAlive(begun)
    expect(await begun.talk.result('f2')).toMatchObject({ reason: 'completed' })
    const claimed = (await begun.talk.log()).find(({ key }) => key === 'input:f2')
    const content = claimed?.type === 'user/message' ? claimed.content : ''
    expect(content.slice(0, 14)).toBe('half \ufffd, NUL \ufffd,')
  })

  it('to an idle Session is refused, and opens no Turn', async () => {
    const begun = await begin()
    const { talk, hold } = begun
    hold.open()
    await talk.log()
    await cases.world.temporal.workflow.signalWithStart('turnWorkflow', {
      workflowId: talk.workflowId,
      taskQueue: cases.world.taskQueue,
      signal: 'followup',
      signalArgs: [null],
    })
    await expectAlive(begun)
    expect(await refusals(talk)).toMatchObject([{ reason: 'invalid-input' }])
  })

  it('in the place of the opening holds nothing up', async () => {
    const begun = await begin()
    const { talk, hold } = begun
    hold.open()
    await talk.log()
    const half = { inbox: { nextTurn: [null, 7, {}] } }
    for (const opening of [null, 'hello', [], { inbox: 5 }, half, { turn: {} }, { input: 'hello' }]) {
      const handle = await cases.world.temporal.workflow.start('turnWorkflow', {
        workflowId: talk.workflowId,
        taskQueue: cases.world.taskQueue,
        args: [opening],
      })
      expect(await handle.result()).toEqual({ kind: 'nothing-opened' })
    }
    await expectAlive(begun)
  })
})
