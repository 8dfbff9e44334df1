import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Session } from '../../src/client/index.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, Conversations } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'
import { TurnWorld } from '../support/turn-world.ts'

const ASK_CLIENT = { tool: 'locate', arguments: {} }
const SEND = { tool: 'send', arguments: {} }

describe('a call of high risk that was approved and given to the client', () => {
  const conversations = new Conversations()
  let world: TurnWorld
  let conversation: Conversation
  let session: Session

  const locate = defineTool({
    name: 'locate',
    description: 'Says where the user is.',
    input: z.object({}),
    risk: 'high',
    execution: 'client',
    timeoutMs: 60_000,
  })
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({}),
    risk: 'high',
    run: () => 'sent',
  })

  beforeAll(async () => {
    world = await TurnWorld.open({
      respond: conversations.respond,
      tools: [locate, send],
      policy: { onSteerWhileWaiting: 'deny' },
    })
    await world.startWorker()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    conversation = conversations.open(world, callTools(ASK_CLIENT, SEND), say('Done.'))
    session = conversation.session
  })

  async function give(): Promise<void> {
    await conversation.begin()
    await eventually(async () => (await session.approvals()).length === 2)
    await session.decide('c1_1_0', { decision: 'approve' })
    await eventually(async () => (await session.clientCalls()).length === 1)
  }

  async function settled(): Promise<void> {
    await eventually(async () => (await world.log(session.id)).some(({ type }) => type === 'tool/result'))
  }

  /** What the Turn has asked for so far, in order of its asking. */
  async function activities(): Promise<readonly string[]> {
    const { events } = await world.temporal.workflow.getHandle(conversation.workflowId).fetchHistory()
    return (events ?? []).flatMap((event) => {
      const name = event.activityTaskScheduledEventAttributes?.activityType?.name
      return typeof name === 'string' ? [name] : []
    })
  }

  it('waits quietly for its answer while a steer denies what else waits', async () => {
    await give()
    await session.steer('wait', { id: 's1' })
    await settled()
    await session.answer('c1_1_0', { content: 'here' })
    await conversation.result('f1')
    expect(await conversation.receipts()).toEqual(['c1_1_1 denied', 'c1_1_0 ok'])
    expect((await activities()).filter((name) => name === 'runTool')).toHaveLength(3)
  })

  it('waits quietly for its answer while a new plan denies what else waits', async () => {
    await give()
    await session.decide('c1_1_1', { decision: 'replan' })
    await settled()
    await session.answer('c1_1_0', { content: 'here' })
    await conversation.result('f1')
    expect(await conversation.receipts()).toEqual(['c1_1_1 denied', 'c1_1_0 ok'])
    expect((await activities()).filter((name) => name === 'runTool')).toHaveLength(3)
  })
})
