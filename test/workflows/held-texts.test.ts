import { afterEach, describe, expect, it } from 'vitest'
import type { HeldText, Session } from '../../src/client/index.ts'
import type { Event } from '../../src/core/event.ts'
import type { OutputGuardrail } from '../../src/core/guardrail.ts'
import { workflowIdOf } from '../../src/core/ids.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { Conversations } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'
import { sequenceOf, TurnWorld } from '../support/turn-world.ts'

const PRICE = 'The price is 4711.'

const prices: OutputGuardrail = {
  name: 'prices',
  judge: (text) =>
    text.includes('price') ? { verdict: 'hold', reason: 'It names a price.' } : { verdict: 'pass' },
}
const currency: OutputGuardrail = {
  name: 'currency',
  judge: (text) =>
    text.includes('4711.') ? { verdict: 'rewrite', content: 'The price is $4711.' } : { verdict: 'pass' },
}
const secrets: OutputGuardrail = {
  name: 'secrets',
  judge: (text) => (text.includes('4711') ? { verdict: 'block', reason: 'A secret.' } : { verdict: 'pass' }),
}

describe('a text that a guardrail holds', () => {
  const conversations = new Conversations()
  let world: TurnWorld
  let ran: unknown[] = []

  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object', properties: {} },
    effect: 'read',
    run: () => {
      ran.push('look')
      return 'seen'
    },
  })

  async function open(
    options: { readonly output?: readonly OutputGuardrail[]; readonly policy?: Record<string, unknown> } = {},
  ): Promise<Awaited<ReturnType<TurnWorld['startWorker']>>> {
    const { output = [prices], policy = {} } = options
    ran = []
    world = await TurnWorld.open({
      respond: conversations.respond,
      tools: [look],
      policy,
      guardrails: { output, maxObjections: 0 },
    })
    return world.startWorker()
  }

  afterEach(() => world.close())

  async function held(session: Session): Promise<HeldText> {
    await eventually(async () => (await session.approvals()).length === 1)
    const [approval] = await session.approvals()
    if (approval?.kind !== 'text') throw new Error('No text is held')
    return approval
  }

  const judged = (log: readonly Event[]): readonly unknown[] =>
    log.flatMap((event) =>
      event.type === 'guardrail/judged'
        ? [[event.verdict, event.guardrail, event.by, event.reason ?? event.content]]
        : [],
    )

  it('waits, is shown to who decides and to nobody else, and is said once it is approved', async () => {
    await open()
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    expect(await held(session)).toMatchObject({
      kind: 'text',
      callId: 'm1_1',
      text: PRICE,
      guardrail: 'prices',
      reason: 'It names a price.',
      turnId: 'f1',
      step: 1,
    })
    expect(await session.status()).toMatchObject({ phase: 'waiting_human', turnPhase: 'waiting_human' })
    const seen: unknown[] = []
    for await (const item of session.events({ live: true })) seen.push(item)
    expect(JSON.stringify([seen, await session.messages()])).not.toContain('4711')
    await session.decide('m1_1', { decision: 'approve', by: 'reviewer' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: PRICE })
    const log = await world.settledLog(session.id)
    expect(sequenceOf(log)).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'assistant/draft',
      'guardrail/held',
      'guardrail/judged',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(judged(log)).toEqual([['pass', 'prices', 'reviewer', undefined]])
  })

  it('is said as a human wrote it instead', async () => {
    await open()
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    await held(session)
    await session.decide('m1_1', { decision: 'edit', text: 'Ask for it.' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Ask for it.' })
    expect(judged(await world.settledLog(session.id))).toEqual([['rewrite', 'prices', 'user', 'Ask for it.']])
  })

  it('ends the Turn blocked when it is denied, with what the human said', async () => {
    await open()
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    await held(session)
    await session.decide('m1_1', { decision: 'deny', note: 'Not before May.' })
    expect(await talk.result('f1')).toMatchObject({
      reason: 'blocked',
      text: '',
      handBack: { blockedBy: "A human does not allow the model's answer: Not before May." },
    })
    expect(JSON.stringify(await world.settledLog(session.id))).not.toContain('4711')
  })

  it('is asked for once more when a human wants another, however often guardrails may object', async () => {
    await open()
    const talk = conversations.open(world, say(PRICE), say('Please ask.'))
    const { session } = talk
    await talk.begin()
    await held(session)
    await session.decide('m1_1', { decision: 'replan', note: 'Do not name it.' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Please ask.', steps: 2 })
    const [, second] = world.model.journal.chats
    const told = (second?.body.messages ?? []).map(chatText).join('\n')
    expect(told).toContain('Objection: Do not name it.')
    expect(told).not.toContain('4711')
    await world.settledLog(session.id)
  })

  it('is what other guardrails left of it, and no question where one of them blocks', async () => {
    await open({ output: [prices, currency] })
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    expect(await held(session)).toMatchObject({ text: 'The price is $4711.' })
    await session.decide('m1_1', { decision: 'approve' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'The price is $4711.' })
    await world.settledLog(session.id)
    await world.close()

    await open({ output: [prices, secrets] })
    const other = conversations.open(world, say(PRICE))
    await other.begin()
    expect(await other.result('f1')).toMatchObject({ reason: 'blocked' })
    expect(judged(await world.settledLog(other.session.id))).toEqual([
      ['block', 'secrets', undefined, 'A secret.'],
    ])
  })

  it('holds up the calls beside it, which run once it is approved', async () => {
    await open()
    const talk = conversations.open(
      world,
      { ...say(PRICE), ...callTools({ tool: 'look', arguments: {} }) },
      say('Done.'),
    )
    const { session } = talk
    await talk.begin()
    await held(session)
    expect(ran).toEqual([])
    await session.decide('m1_1', { decision: 'approve' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Done.' })
    expect(ran).toEqual(['look'])
    await world.settledLog(session.id)
  })

  it('is blocked when nobody decides in time', async () => {
    await open({ policy: { approvalTimeoutMs: 300 } })
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    expect(await talk.run()).toMatchObject({ reason: 'blocked' })
    expect(judged(await world.settledLog(session.id))).toEqual([
      ['block', 'prices', 'policy', 'It names a price. (nobody decided in time)'],
    ])
    await expect(session.decide('m1_1', { decision: 'approve' })).rejects.toMatchObject({
      code: 'already-decided',
    })
  })

  it('takes the first decision, the same again as nothing, and refuses every other', async () => {
    const worker = await open()
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    const { argumentsDigest } = await held(session)
    await worker.stop()
    const refused = (id: string, decision: Parameters<Session['decide']>[1], code: string) =>
      expect(session.decide(id, decision)).rejects.toMatchObject({ code })
    const other = 'f'.repeat(64)
    await refused('m1_1', { decision: 'approve', argumentsDigest: other }, 'arguments-changed')
    await refused('m1_1', { decision: 'edit', arguments: {} }, 'invalid-input')
    await refused('m1_1', { decision: 'approve', scope: 'session' }, 'invalid-input')
    await refused('m1_2', { decision: 'approve' }, 'call-not-waiting')
    await refused('m9_1', { decision: 'approve' }, 'call-not-waiting')
    await session.decide('m1_1', { decision: 'deny', argumentsDigest })
    await session.decide('m1_1', { decision: 'deny' })
    await refused('m1_1', { decision: 'approve' }, 'already-decided')
    expect(await session.approvals()).toEqual([])
    await world.startWorker()
    expect(await talk.result('f1')).toMatchObject({ reason: 'blocked' })
    await refused('m1_1', { decision: 'approve' }, 'already-decided')
    await world.settledLog(session.id)
  })

  it('is said once a worker comes back, when it was approved while all were down and the wake was lost', async () => {
    const worker = await open()
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    await held(session)
    await worker.stop()
    await world.muteClient().session(session.id).decide('m1_1', { decision: 'approve' })
    await world.startWorker()
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: PRICE })
    await world.settledLog(session.id)
  })

  it('is approved by no wake', async () => {
    await open()
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    await held(session)
    const handle = world.temporal.workflow.getHandle(workflowIdOf({ tenant: 'default', session: session.id }))
    for (const id of ['m1_1', 'm1_1', 'm1_2']) await handle.signal('wake', { v: 1, kind: 'decided', id })
    await session.decide('m1_1', { decision: 'deny' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'blocked' })
    await world.settledLog(session.id)
  })

  it('is dropped by an abort, and counted', async () => {
    await open()
    const talk = conversations.open(world, say(PRICE))
    const { session } = talk
    await talk.begin()
    await held(session)
    expect(await session.abort()).toMatchObject({ reason: 'aborted' })
    await expect(session.decide('m1_1', { decision: 'approve' })).rejects.toMatchObject({
      code: 'call-not-waiting',
    })
    const log = await world.settledLog(session.id)
    expect(sequenceOf(log).slice(-4)).toEqual(['guardrail/held', 'attempt/lost', 'step/end', 'turn/end'])
    expect(JSON.stringify(await session.messages())).not.toContain('4711')
  })

  it('goes on waiting beside a steer, or is dropped for it where the policy says so', async () => {
    await open()
    const kept = conversations.open(world, say(PRICE), say('And thanks.'))
    await kept.begin()
    await held(kept.session)
    await kept.session.steer('Hurry.', { id: 's1' })
    await eventually(async () => (await kept.session.status()).pending?.length === 1)
    await kept.session.decide('m1_1', { decision: 'approve' })
    expect(await kept.result('f1')).toMatchObject({ reason: 'completed', text: 'And thanks.' })
    await world.settledLog(kept.session.id)
    await world.close()

    await open({ policy: { onSteerWhileWaiting: 'deny' } })
    const dropped = conversations.open(world, say(PRICE), say('Instead.'))
    await dropped.begin()
    await held(dropped.session)
    await dropped.session.steer('Something else.', { id: 's1' })
    expect(await dropped.result('f1')).toMatchObject({ reason: 'completed', text: 'Instead.' })
    expect(judged(await world.settledLog(dropped.session.id))).toEqual([
      ['object', 'prices', 'policy', 'The user wrote something new before it was sent.'],
      ['pass', undefined, undefined, undefined],
    ])
  })
})
