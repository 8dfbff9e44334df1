import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PendingCallApproval, PendingClientCall, Session } from '../../src/client/index.ts'
import type { Event } from '../../src/core/event.ts'
import { workflowIdOf } from '../../src/core/ids.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { Conversations } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

const SEND = { tool: 'send', arguments: { to: 'a', text: 'hi' } }
const PAY = { tool: 'pay', arguments: { amount: 5 } }

describe('a call of high risk', () => {
  const conversations = new Conversations()
  let world: TurnWorld
  let ran: unknown[]

  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({ to: z.string(), text: z.string() }),
    risk: 'high',
    run: (args) => {
      ran.push(args)
      return 'sent'
    },
  })
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ amount: z.number() }),
    risk: ({ amount }) => (amount > 100 ? 'high' : 'medium'),
    run: (args) => {
      ran.push(args)
      return 'paid'
    },
  })
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({}),
    effect: 'read',
    run: () => 'seen',
  })

  const inspect = defineTool({
    name: 'inspect',
    description: 'Inspects.',
    input: z.object({}),
    effect: 'read',
    risk: 'high',
    run: () => 'inspected',
  })

  async function open(policy: Record<string, unknown> = {}): Promise<void> {
    world = await TurnWorld.open({
      respond: conversations.respond,
      tools: [send, pay, look, inspect],
      policy,
    })
  }

  beforeEach(() => {
    ran = []
  })
  afterEach(() => world.close())

  async function waiting(
    session: Session,
    count = 1,
  ): Promise<readonly [PendingCallApproval, ...PendingCallApproval[]]> {
    await eventually(async () => (await session.approvals()).length === count)
    const [first, ...rest] = (await session.approvals()).flatMap((one) => (one.kind === 'call' ? [one] : []))
    if (first === undefined) throw new Error('Nothing waits any more')
    return [first, ...rest]
  }

  it('waits, shows what it would do, and runs once it is approved', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Done.'))
    await conversation.begin()
    const [approval] = await waiting(conversation.session)
    expect(approval).toMatchObject({
      callId: 'c1_1_0',
      tool: 'send',
      arguments: '{"text":"hi","to":"a"}',
      risk: 'high',
    })
    expect(await conversation.session.status()).toMatchObject({
      phase: 'waiting_human',
      turnPhase: 'waiting_human',
      approvals: [{ callId: 'c1_1_0' }],
    })
    expect(ran).toEqual([])
    await conversation.session.decide('c1_1_0', {
      decision: 'approve',
      argumentsDigest: approval.argumentsDigest,
      by: 'reviewer',
    })
    expect(await conversation.result('f1')).toMatchObject({ reason: 'completed', text: 'Done.' })
    expect(ran).toEqual([{ to: 'a', text: 'hi' }])
    const log = await world.settledLog(conversation.session.id)
    expect(log.map(({ type }) => type)).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'assistant/message',
      'approval/requested',
      'approval/decided',
      'tool/call',
      'tool/result',
      'audit/recorded',
      'step/end',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(await conversation.session.audits()).toMatchObject([
      { tool: 'send', risk: 'high', outcome: 'ok', approvedBy: 'reviewer', agent: 'tester' },
    ])
  })

  it('shows what it would change, redacted, and nothing where its tool cannot say', async () => {
    const change = defineTool({
      name: 'change',
      description: 'Changes a file.',
      input: z.object({ to: z.string() }),
      risk: 'high',
      preview: ({ to }) => {
        if (to === 'broken') throw new Error('No preview.')
        return { path: 'card.txt', before: 'card: 4111 1111 1111 1111\n', after: `card: ${to}\n` }
      },
      run: () => 'changed',
    })
    world = await TurnWorld.open({ respond: conversations.respond, tools: [change] })
    await world.startWorker()
    const conversation = conversations.open(
      world,
      callTools(
        { tool: 'change', arguments: { to: 'none' } },
        { tool: 'change', arguments: { to: 'broken' } },
      ),
      say('Done.'),
    )
    await conversation.begin()
    const [first, second] = await waiting(conversation.session, 2)
    expect(first.preview).toEqual({
      kind: 'diff',
      path: 'card.txt',
      diff: expect.stringMatching(/^-card: \[card:[0-9a-f]{8}\]\n\+card: none$/m),
    })
    expect(second).toMatchObject({ callId: 'c1_1_1' })
    expect(second).not.toHaveProperty('preview')
    for (const { callId } of [first, second as typeof first])
      await conversation.session.decide(callId, { decision: 'deny' })
    await conversation.result('f1')
    expect(JSON.stringify(await world.settledLog(conversation.session.id))).not.toContain('4111 1111')
  })

  it('is denied with the note of the human, which the model reads', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Sorry.'))
    await conversation.begin()
    await waiting(conversation.session)
    await conversation.session.decide('c1_1_0', { decision: 'deny', note: 'Not to them.' })
    expect(await conversation.result('f1')).toMatchObject({ reason: 'completed' })
    expect(ran).toEqual([])
    expect(receipts(await world.settledLog(conversation.session.id))).toEqual([
      ['c1_1_0', 'denied', 'Denied: this call was not approved. It was not run. Note: Not to them.'],
    ])
  })

  it('runs with the arguments that a human wrote instead, and the model is told', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Done.'))
    await conversation.begin()
    await waiting(conversation.session)
    await conversation.session.decide('c1_1_0', { decision: 'edit', arguments: { to: 'b', text: 'hi' } })
    await conversation.result('f1')
    expect(ran).toEqual([{ to: 'b', text: 'hi' }])
    const sent = JSON.stringify((await conversation.session.messages()).at(-2))
    expect(sent).toContain('A human changed the arguments of this call before it ran')
    await world.settledLog(conversation.session.id)
  })

  it('does not run with edited arguments that do not fit the tool', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Done.'))
    await conversation.begin()
    await waiting(conversation.session)
    await conversation.session.decide('c1_1_0', { decision: 'edit', arguments: { to: 7 } })
    await conversation.result('f1')
    expect(ran).toEqual([])
    expect(receipts(await world.settledLog(conversation.session.id))).toMatchObject([
      ['c1_1_0', 'invalid-arguments', expect.stringContaining('text')],
    ])
  })

  it('asks no more in a Session for which its tool was approved, until something came from outside', async () => {
    await open()
    await world.startWorker()
    const other = { tool: 'send', arguments: { to: 'b', text: 'ho' } }
    const third = { tool: 'send', arguments: { to: 'c', text: 'hu' } }
    const conversation = conversations.open(
      world,
      callTools(SEND),
      say('One.'),
      callTools(other),
      callTools({ tool: 'look', arguments: {} }),
      callTools(third),
      say('Two.'),
    )
    await conversation.begin()
    await waiting(conversation.session)
    await conversation.session.decide('c1_1_0', { decision: 'approve', scope: 'session' })
    await conversation.result('f1')
    await conversation.session.followup('More', { id: 'f2' })
    const [approval] = await waiting(conversation.session)
    expect(ran).toEqual([SEND.arguments, other.arguments])
    expect(approval.callId).toBe('c2_3_0')
    await conversation.session.decide('c2_3_0', { decision: 'deny' })
    await conversation.result('f2')
    expect(ran).toHaveLength(2)
    await world.settledLog(conversation.session.id)
  })

  it('asks for medium risk, too, after something from outside, where the policy says so', async () => {
    await open({ askAfterOutside: 'medium' })
    await world.startWorker()
    const conversation = conversations.open(
      world,
      callTools(PAY),
      callTools({ tool: 'look', arguments: {} }),
      callTools({ tool: 'pay', arguments: { amount: 6 } }),
      say('Done.'),
    )
    await conversation.begin()
    const [approval] = await waiting(conversation.session)
    expect(approval).toMatchObject({ callId: 'c1_3_0', risk: 'medium' })
    await conversation.session.decide('c1_3_0', { decision: 'approve' })
    await conversation.result('f1')
    expect(ran).toEqual([{ amount: 5 }, { amount: 6 }])
    expect(await conversation.session.audits()).toMatchObject([
      { tool: 'pay', risk: 'medium', outcome: 'ok' },
      { tool: 'pay', risk: 'medium', outcome: 'ok', approvedBy: 'user' },
    ])
  })

  it('is judged by its arguments where the tool says so', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(
      world,
      callTools(PAY, { tool: 'pay', arguments: { amount: 500 } }),
      say('Done.'),
    )
    await conversation.begin()
    expect((await waiting(conversation.session)).map(({ callId }) => callId)).toEqual(['c1_1_1'])
    await eventually(async () => ran.length === 1)
    await conversation.session.decide('c1_1_1', { decision: 'deny' })
    await conversation.result('f1')
    expect(ran).toEqual([{ amount: 5 }])
  })

  it('expires, and then is denied', async () => {
    await open({ approvalTimeoutMs: 300 })
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Nobody came.'))
    expect(await conversation.run()).toMatchObject({ reason: 'completed', text: 'Nobody came.' })
    const log = await world.settledLog(conversation.session.id)
    expect(receipts(log)).toMatchObject([['c1_1_0', 'denied', expect.stringContaining('in time')]])
    expect(log.find(({ type }) => type === 'approval/decided')).toMatchObject({
      decision: 'deny',
      by: 'policy',
      cause: 'expired',
    })
    await expect(conversation.session.decide('c1_1_0', { decision: 'approve' })).rejects.toMatchObject({
      code: 'already-decided',
    })
    expect(ran).toEqual([])
  })

  it('takes the first decision, the same again as nothing, and refuses every other', async () => {
    await open()
    const worker = await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Done.'))
    const { session } = conversation
    await conversation.begin()
    const [{ argumentsDigest }] = await waiting(session)
    await worker.stop()
    await expect(
      session.decide('c1_1_0', { decision: 'approve', argumentsDigest: 'f'.repeat(64) }),
    ).rejects.toMatchObject({ code: 'arguments-changed' })
    await expect(session.decide('c1_1_7', { decision: 'approve' })).rejects.toMatchObject({
      code: 'call-not-waiting',
    })
    await expect(session.decide('c9_1_0', { decision: 'approve' })).rejects.toMatchObject({
      code: 'call-not-waiting',
    })
    await expect(session.decide('nonsense', { decision: 'approve' })).rejects.toMatchObject({
      code: 'call-not-waiting',
    })
    await session.decide('c1_1_0', { decision: 'deny', argumentsDigest })
    await session.decide('c1_1_0', { decision: 'deny' })
    await expect(session.decide('c1_1_0', { decision: 'approve' })).rejects.toMatchObject({
      code: 'already-decided',
    })
    await world.startWorker()
    await conversation.result('f1')
    await session.decide('c1_1_0', { decision: 'deny' })
    await expect(session.decide('c1_1_0', { decision: 'approve' })).rejects.toMatchObject({
      code: 'already-decided',
    })
    expect(ran).toEqual([])
    await world.settledLog(session.id)
  })

  it('runs once a worker comes back, when it was approved while all were down and the wake was lost', async () => {
    await open()
    const worker = await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Done.'))
    const { session } = conversation
    await conversation.begin()
    await waiting(session)
    await worker.stop()
    await world.muteClient().session(session.id).decide('c1_1_0', { decision: 'approve' })
    await world.startWorker()
    expect(await conversation.result('f1')).toMatchObject({ reason: 'completed' })
    expect(ran).toEqual([SEND.arguments])
  })

  it('is approved by no wake, however often it is sent', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Done.'))
    const { session } = conversation
    await conversation.begin()
    await waiting(session)
    const handle = world.temporal.workflow.getHandle(workflowIdOf({ tenant: 'default', session: session.id }))
    for (const id of ['c1_1_0', 'c1_1_0', 'c1_1_1'])
      await handle.signal('wake', { v: 1, kind: 'decided', id })
    await handle.signal('wake', { v: 1, kind: 'approved', id: 'c1_1_0' })
    await session.steer('yes, approve it', { id: 's1' })
    await eventually(async () => {
      const { pending } = await session.status()
      return pending?.some(({ id }) => id === 's1') === true
    })
    expect(ran).toEqual([])
    expect(await session.approvals()).toHaveLength(1)
    await session.decide('c1_1_0', { decision: 'deny' })
    await conversation.result('f1')
    expect(ran).toEqual([])
    await world.settledLog(session.id)
  })

  it('is denied by a steer where the policy says so, and the steer joins the next Step', async () => {
    await open({ onSteerWhileWaiting: 'deny' })
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Then not.'))
    const { session } = conversation
    await conversation.begin()
    await waiting(session)
    await session.steer('no, wait', { id: 's1' })
    expect(await conversation.result('f1')).toMatchObject({ reason: 'completed', steps: 2 })
    const log = await world.settledLog(session.id)
    expect(receipts(log)).toMatchObject([['c1_1_0', 'denied', expect.stringContaining('something new')]])
    expect(log.find((event) => event.type === 'user/message' && event.inputId === 's1')).toMatchObject({
      step: 2,
    })
  })

  it('gets a receipt that it was not started when the Turn is aborted while it waits', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND))
    const { session } = conversation
    await conversation.begin()
    await waiting(session)
    expect(await session.abort()).toMatchObject({ reason: 'aborted' })
    expect(receipts(await world.settledLog(session.id))).toMatchObject([
      ['c1_1_0', 'not-started', expect.anything()],
    ])
    await expect(session.decide('c1_1_0', { decision: 'approve' })).rejects.toMatchObject({
      code: 'call-not-waiting',
    })
  })

  it('stops the clock of the Turn while nothing but humans is waited for', async () => {
    await open()
    await world.close()
    world = await TurnWorld.open({
      respond: conversations.respond,
      tools: [send, pay, look],
      limits: { maxDurationMs: 1_500 },
      policy: { approvalTimeoutMs: 2_500 },
    })
    await world.startWorker()
    const conversation = conversations.open(world, callTools(SEND), say('Late.'))
    expect(await conversation.run()).toMatchObject({ reason: 'completed', text: 'Late.' })
  })

  it('replans: what waits is denied, what runs finishes, and the tool history leaves the context', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(
      world,
      callTools({ tool: 'look', arguments: {} }),
      callTools(SEND, { tool: 'pay', arguments: { amount: 500 } }, PAY),
      say('A new plan.'),
    )
    const { session } = conversation
    await conversation.begin()
    await waiting(session, 2)
    await session.decide('c1_2_0', { decision: 'replan', note: 'Ask me first.' })
    expect(await conversation.result('f1')).toMatchObject({ reason: 'completed', text: 'A new plan.' })
    const log = await world.settledLog(session.id)
    expect(receipts(log)).toMatchObject([
      ['c1_1_0', 'ok', 'seen'],
      ['c1_2_2', 'ok', 'paid'],
      ['c1_2_0', 'denied', expect.stringContaining('Ask me first.')],
      ['c1_2_1', 'denied', expect.stringContaining('new plan')],
    ])
    expect(ran).toEqual([{ amount: 5 }])
    const last = world.model.journal.chats.at(-1)?.body.messages ?? []
    expect(last.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    expect(JSON.stringify(last.at(-1))).toContain('Ask me first.')
    expect(JSON.stringify(last.at(-1))).toContain('Ran pay.')
  })

  it.each([
    ['approve', ['ok', 'ok']],
    ['deny', ['denied', 'denied']],
  ] as const)(
    'is asked for once when it is there twice, and both get what %s brings',
    async (decision, kinds) => {
      await open()
      await world.startWorker()
      const conversation = conversations.open(
        world,
        callTools({ tool: 'inspect', arguments: {} }, { tool: 'inspect', arguments: {} }),
        say('Done.'),
      )
      const { session } = conversation
      await conversation.begin()
      expect(await waiting(session)).toHaveLength(1)
      await session.decide('c1_1_0', { decision })
      await conversation.result('f1')
      expect(receipts(await world.settledLog(session.id)).map(([, kind]) => kind)).toEqual(kinds)
    },
  )

  it('lets several calls of one Step be decided apart, in any order', async () => {
    await open()
    await world.startWorker()
    const conversation = conversations.open(
      world,
      callTools(SEND, { tool: 'pay', arguments: { amount: 500 } }),
      say('Done.'),
    )
    const { session } = conversation
    await conversation.begin()
    await waiting(session, 2)
    await session.decide('c1_1_1', { decision: 'approve' })
    await eventually(async () => ran.length === 1)
    await session.decide('c1_1_0', { decision: 'deny' })
    await conversation.result('f1')
    expect(ran).toEqual([{ amount: 500 }])
    await world.settledLog(session.id)
  })
})

describe('a call that the client runs', () => {
  const conversations = new Conversations()
  let world: TurnWorld

  const locate = defineTool({
    name: 'locate',
    description: 'Says where the user is.',
    input: z.object({}),
    execution: 'client',
    timeoutMs: 60_000,
  })
  const hurry = defineTool({
    name: 'hurry',
    description: 'Says something soon.',
    input: z.object({}),
    effect: 'read',
    execution: 'client',
    timeoutMs: 300,
  })

  beforeEach(async () => {
    world = await TurnWorld.open({ respond: conversations.respond, tools: [locate, hurry] })
  })
  afterEach(() => world.close())

  async function given(session: Session): Promise<PendingClientCall | undefined> {
    await eventually(async () => (await session.clientCalls()).length === 1)
    return (await session.clientCalls())[0]
  }

  it('waits for its answer across a restart of the worker, and takes the first one only', async () => {
    const worker = await world.startWorker()
    const conversation = conversations.open(
      world,
      callTools({ tool: 'locate', arguments: {} }),
      say('There.'),
    )
    const { session } = conversation
    await conversation.begin()
    const call = await given(session)
    expect(call).toMatchObject({ callId: 'c1_1_0', tool: 'locate', arguments: '{}' })
    expect(await session.status()).toMatchObject({ phase: 'waiting_human' })
    await worker.stop()
    await session.answer('c1_1_0', { content: { city: 'here' } })
    await expect(session.answer('c1_1_0', { content: 'again' })).rejects.toMatchObject({
      code: 'already-decided',
    })
    await world.startWorker()
    expect(await conversation.result('f1')).toMatchObject({ reason: 'completed', text: 'There.' })
    expect(receipts(await world.settledLog(session.id))).toEqual([['c1_1_0', 'ok', '{"city":"here"}']])
  })

  it('times out at its deadline, after which no answer counts', async () => {
    await world.startWorker()
    const conversation = conversations.open(world, callTools({ tool: 'hurry', arguments: {} }), say('Well.'))
    expect(await conversation.run()).toMatchObject({ reason: 'completed' })
    expect(receipts(await world.settledLog(conversation.session.id))).toMatchObject([
      ['c1_1_0', 'timed-out', expect.anything()],
    ])
    await expect(conversation.session.answer('c1_1_0', { content: 'late' })).rejects.toMatchObject({
      code: 'already-decided',
    })
  })

  it('gets a receipt when the Turn is aborted while it waits', async () => {
    await world.startWorker()
    const conversation = conversations.open(world, callTools({ tool: 'locate', arguments: {} }))
    await conversation.begin()
    await given(conversation.session)
    await conversation.session.abort()
    expect(receipts(await world.settledLog(conversation.session.id))).toMatchObject([
      ['c1_1_0', 'outcome-unknown', expect.anything()],
    ])
  })

  it('reports an error of the client to the model', async () => {
    await world.startWorker()
    const conversation = conversations.open(world, callTools({ tool: 'locate', arguments: {} }), say('Oh.'))
    await conversation.begin()
    await given(conversation.session)
    await conversation.session.answer('c1_1_0', { content: 'no signal', isError: true })
    await conversation.result('f1')
    expect(receipts(await world.settledLog(conversation.session.id))).toEqual([
      ['c1_1_0', 'failed', 'no signal'],
    ])
  })

  it('keeps nothing of a large answer that comes too late', async () => {
    await world.startWorker()
    const conversation = conversations.open(world, callTools({ tool: 'locate', arguments: {} }), say('Oh.'))
    const { session } = conversation
    await conversation.begin()
    await given(session)
    await session.answer('c1_1_0', { content: 'here' })
    const large = 'a line\n'.repeat(50_000)
    await expect(session.answer('c1_1_0', { content: large })).rejects.toMatchObject({
      code: expect.stringMatching(/^(already-decided|call-not-waiting)$/),
    })
    const id = createHash('sha256').update(large).digest('hex')
    expect(await world.store.spill({ tenant: 'default', session: session.id }, id)).toBeUndefined()
    await conversation.result('f1')
  })

  it('is redacted and bounded as the result of a worker is', async () => {
    await world.startWorker()
    const conversation = conversations.open(world, callTools({ tool: 'locate', arguments: {} }), say('Oh.'))
    const { session } = conversation
    await conversation.begin()
    await given(session)
    await session.answer('c1_1_0', { content: `4111 1111 1111 1111 ${'x '.repeat(4_000)} end` })
    await conversation.result('f1')
    const [[, kind, content] = ['', '', '']] = receipts(await world.settledLog(session.id))
    expect(kind).toBe('ok')
    expect(content).toMatch(/^\[card:[0-9a-f]{8}\] x x/)
    expect(content).toMatch(/end$/)
    expect(content.length).toBeLessThan(4_000)
  })
})

function receipts(log: readonly Event[]): readonly (readonly [string, string, string])[] {
  return log.flatMap((event) =>
    event.type === 'tool/result' ? [[event.callId, event.kind, event.content] as const] : [],
  )
}
