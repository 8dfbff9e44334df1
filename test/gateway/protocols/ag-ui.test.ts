import { HttpAgent, type Message } from '@ag-ui/client'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gate } from '../../../src/testing/gate.ts'
import { callTools, cutAfter, holdAfter, say } from '../../../src/testing/scripted-answer.ts'
import { defineTool } from '../../../src/tools/index.ts'
import type { Conversation } from '../../support/conversations.ts'
import { gatewayWorld } from '../support/gateway-world.ts'

const send = defineTool({
  name: 'send',
  description: 'Sends.',
  input: z.object({ to: z.string() }),
  risk: 'high',
  run: ({ to }) => `sent to ${to}`,
})
const readPage = defineTool({
  name: 'read_page',
  description: 'Reads the page that the user sees.',
  input: z.object({}),
  effect: 'read',
  execution: 'client',
  timeoutMs: 60_000,
})

const gateway = gatewayWorld({ tools: [send, readPage] })

/** The thread of a conversation, with its first message. */
function agentOf(talk: Conversation): HttpAgent {
  const { id } = talk.session
  return new HttpAgent({
    url: `${gateway.url}/v1/ag-ui`,
    threadId: id,
    initialMessages: [{ id: 'f1', role: 'user', content: `Hello? [${id}]` }],
  })
}

function said(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [content] : [],
  )
}

describe('an agent over AG-UI', () => {
  it('streams its answer', async () => {
    const held = gate()
    const talk = gateway.open(holdAfter(1, held, say(['It is ', 'four.'], { reasoning: 'Two and two.' })))
    const agent = agentOf(talk)
    const deltas: string[] = []
    await agent.runAgent(
      {},
      {
        onTextMessageContentEvent: ({ event }) => {
          deltas.push(event.delta)
        },
        onReasoningMessageContentEvent: () => held.open(),
      },
    )
    expect(deltas.join('')).toBe('It is four.')
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'reasoning', 'assistant'])
    expect(agent.state).toMatchObject({ turnstep: { turnId: 'f1', phase: 'finished' } })
  })

  it('goes on with the thread', async () => {
    const talk = gateway.open(say('Hello.'), say('Again.'))
    const agent = agentOf(talk)
    await agent.runAgent()
    agent.addMessage({ id: 'f2', role: 'user', content: 'And?' })
    await agent.runAgent()
    expect(said(agent.messages)).toEqual(['Hello.', 'Again.'])
    expect((await talk.log()).filter(({ type }) => type === 'turn/start')).toHaveLength(2)
  })

  it('asks for a decision, and goes on once it is given', async () => {
    const talk = gateway.open(callTools({ tool: 'send', arguments: { to: 'Ann' } }), say('Sent.'))
    const agent = agentOf(talk)
    await agent.runAgent()
    const [interrupt] = agent.pendingInterrupts
    expect(interrupt).toMatchObject({ reason: 'tool_call', toolCallId: 'c1_1_0', message: 'May send run?' })
    const resume = [
      { interruptId: interrupt?.id ?? '', status: 'resolved' as const, payload: { decision: 'approve' } },
    ]
    await agent.runAgent({ resume })
    expect(said(agent.messages)).toEqual(['Sent.'])
    expect(agent.messages.find(({ role }) => role === 'tool')).toMatchObject({ content: 'sent to Ann' })
    expect((await talk.log()).find(({ type }) => type === 'approval/decided')).toMatchObject({
      decision: 'approve',
      by: 'user',
    })
  })

  it('takes a cancelled interrupt for a denial', async () => {
    const talk = gateway.open(callTools({ tool: 'send', arguments: { to: 'Ann' } }), say('Then not.'))
    const agent = agentOf(talk)
    await agent.runAgent()
    const resume = agent.pendingInterrupts.map(({ id }) => ({
      interruptId: id,
      status: 'cancelled' as const,
    }))
    await agent.runAgent({ resume })
    expect(said(agent.messages)).toEqual(['Then not.'])
    expect(await talk.receipts()).toEqual(['c1_1_0 denied'])
  })

  it('has the client run what is the client’s', async () => {
    const talk = gateway.open(callTools({ tool: 'read_page' }), say('I see.'))
    const agent = agentOf(talk)
    await agent.runAgent()
    agent.addMessage({ id: 'r1', role: 'tool', toolCallId: 'c1_1_0', content: 'A page.' })
    await agent.runAgent()
    expect(said(agent.messages)).toEqual(['I see.'])
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
  })

  it('takes back what an attempt said that broke off', async () => {
    const talk = gateway.open(cutAfter(1, say(['It is five', ', I think.'])), say('It is four.'))
    const agent = agentOf(talk)
    await agent.runAgent()
    expect(said(agent.messages)).toEqual(['It is four.'])
  })

  it('is stopped by its stop endpoint, and not by a client that leaves', async () => {
    const talk = gateway.open(holdAfter(1, gate(), say(['It is ', 'four.'])))
    const agent = agentOf(talk)
    const left = agent.runAgent().catch(() => undefined)
    await talk.streaming()
    agent.abortRun()
    await left
    expect(await talk.session.status()).toMatchObject({ phase: 'running', turnId: 'f1' })
    const again = agentOf(talk)
    const ends: unknown[] = []
    const stopped = again.runAgent(
      {},
      {
        onRunFinishedEvent: ({ event }) => {
          ends.push(event.outcome)
        },
      },
    )
    expect(await gateway.call('POST', `/v1/ag-ui/${talk.session.id}/stop`)).toMatchObject({
      status: 200,
      body: { turnId: 'f1', reason: 'aborted' },
    })
    await stopped
    expect(ends).toEqual([{ type: 'cancelled' }])
    expect(said(again.messages)).toEqual(['It is '])
  })

  it('refuses what cannot be meant', async () => {
    const input = { threadId: 's-none', runId: 'r1', messages: [], tools: [], context: [] }
    expect(await gateway.call('POST', '/v1/ag-ui', input)).toMatchObject({
      status: 400,
      body: { code: 'invalid-input' },
    })
    const resume = [{ interruptId: 'c1_1_0:d', status: 'cancelled' }]
    expect(await gateway.call('POST', '/v1/ag-ui', { ...input, resume })).toMatchObject({
      status: 404,
      body: { code: 'session-not-found' },
    })
  })
})
