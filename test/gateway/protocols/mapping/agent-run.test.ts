import { HttpAgent, type Message } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamItem } from '../../../../src/client/follow-events.ts'
import type { AgUiEvent } from '../../../../src/gateway/protocols/ag-ui/ag-ui-event.ts'
import { AgentRun } from '../../../../src/gateway/protocols/ag-ui/agent-run.ts'
import { HAND_BACK_TEXT, RECORDED, type Recorded } from './recorded-items.ts'

const ASKED: Message = { id: 'u1', role: 'user', content: 'Two and two?' }

function eventsOf(
  items: readonly StreamItem[],
  after = 0,
  given: readonly string[] = [],
): readonly AgUiEvent[] {
  const run = new AgentRun({
    threadId: 's1',
    runId: 'run-1',
    state: { theirs: 1 },
    messages: [{ id: 'u1', role: 'user', content: 'Two and two?' }],
    choice: { inputId: 'u1' },
    after,
    given: new Set(given),
  })
  return [...run.start(), ...items.flatMap((item) => run.read(item))]
}

/** What the protocol's own client makes of a run: it verifies the order of events, and fails on what is not allowed. */
async function received(events: readonly AgUiEvent[], before: readonly Message[] = [ASKED]) {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const agent = new HttpAgent({
    url: 'http://agent.test',
    threadId: 's1',
    initialMessages: [...before],
    initialState: { theirs: 1 },
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  })
  let error: string | undefined
  await agent.runAgent(
    { runId: 'run-1' },
    {
      onRunErrorEvent: ({ event }) => {
        error = event.message
      },
    },
  )
  return { agent, error }
}

function shown(messages: readonly Message[]): readonly string[] {
  return messages.slice(1).flatMap((message) => {
    if (message.role === 'reasoning') return [`thought: ${message.content}`]
    if (message.role === 'tool') return [`result: ${String(message.content)}`]
    if (message.role !== 'assistant') return []
    return [
      ...(message.content === undefined ? [] : [message.content]),
      ...(message.toolCalls ?? []).map((call) => `call: ${call.function.name} ${call.function.arguments}`),
    ]
  })
}

const TABLE: readonly [Recorded, readonly string[], string][] = [
  [
    'LIVE',
    ['call: calculator {}', 'result: result of 1.0', 'thought: Two and two.', 'It is four.'],
    'success',
  ],
  [
    'AFTERWARDS',
    ['call: calculator {}', 'result: result of 1.0', 'thought: Two and two.', 'It is four.'],
    'success',
  ],
  ['JOINED', ['thought: Two and two.', 'It is four.'], 'success'],
  ['STARTED_OVER', ['thought: Hm.', 'It is four.'], 'success'],
  ['ABORTED', ['It is '], 'cancelled'],
  ['FAILED', [HAND_BACK_TEXT], 'RUN_ERROR'],
  [
    'BLOCKED',
    [
      '[This turn ended before it was finished.]\nDone: nothing yet.\nWhy: The guardrail guard does not allow your message: Not this.\nNext: Ask for something else.',
    ],
    'success',
  ],
  ['APPROVAL_PENDING', ['I will send it.', 'call: send {}'], 'interrupt'],
  ['CLIENT_CALL', ['call: read_page {}'], 'success'],
  ['HELD', [], 'interrupt'],
  [
    'HANDED_BACK',
    [
      'call: calculator {}',
      'call: no_such {}',
      'call: send {}',
      'result: There is no tool no_such.',
      'result: Division by zero.',
      'result: Not run.',
      HAND_BACK_TEXT,
    ],
    'success',
  ],
  ['STEERED', ['call: calculator {}', 'result: result of 1.0', 'Quatre.'], 'success'],
]

/** How a run ends; the client itself takes a stream that breaks off for a whole one. */
function endOf(events: readonly AgUiEvent[]): string {
  const last = events.at(-1)
  return last?.type === 'RUN_FINISHED' ? last.outcome.type : (last?.type ?? 'nothing')
}

describe('a run', () => {
  it.each(TABLE)('comes of %s', async (name, messages, end) => {
    const events = eventsOf(RECORDED[name])
    for (const event of events) expect(EventSchemas.safeParse(event).error).toBeUndefined()
    expect(endOf(events)).toBe(end)
    expect(shown((await received(events)).agent.messages)).toEqual(messages)
  })

  it('keeps the state of the client beside its own', async () => {
    const { agent } = await received(eventsOf(RECORDED.LIVE))
    expect(agent.state).toEqual({
      theirs: 1,
      turnstep: { turnId: 'u1', turn: 1, agent: 'default', phase: 'finished', step: 2 },
    })
  })

  it('says why it failed', async () => {
    expect((await received(eventsOf(RECORDED.FAILED))).error).toBe('It was stopped.')
    expect(eventsOf(RECORDED.REFUSED).at(-1)).toEqual({
      type: 'RUN_ERROR',
      message: 'The message was not taken: inbox-full.',
      code: 'inbox-full',
    })
  })

  it('says what it came to', () => {
    expect(eventsOf(RECORDED.LIVE).at(-1)).toEqual({
      type: 'RUN_FINISHED',
      threadId: 's1',
      runId: 'run-1',
      outcome: { type: 'success' },
      result: { turnId: 'u1', reason: 'completed', cost: null },
      usage: [{ inputTokens: 30, outputTokens: 15, totalTokens: 45 }],
    })
  })

  it('takes what an attempt said that started over out of the thread', () => {
    const events = eventsOf(RECORDED.STARTED_OVER)
    expect(events.slice(events.findIndex(({ type }) => type === 'CUSTOM')).slice(0, 4)).toEqual([
      { type: 'CUSTOM', name: 'turnstep.void', value: { channel: 'reasoning', messageId: 'r1_1' } },
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'u1', role: 'user', content: 'Two and two?' },
          { id: 'm1_1', role: 'assistant', content: 'It is fi' },
        ],
      },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1_1' },
      { type: 'CUSTOM', name: 'turnstep.void', value: { channel: 'text', messageId: 'm1_1' } },
    ])
  })

  it('asks for a decision with an interrupt', async () => {
    const { agent } = await received(eventsOf(RECORDED.APPROVAL_PENDING))
    expect(agent.pendingInterrupts).toMatchObject([
      {
        id: 'c1_1_0:digest',
        reason: 'tool_call',
        message: 'May send run?',
        toolCallId: 'c1_1_0',
        expiresAt: '2025-01-02T00:00:00.000Z',
        metadata: { tool: 'send', arguments: '{"to":"Ann"}', argumentsDigest: 'digest', risk: 'high' },
      },
    ])
  })

  it('names the calls that the client is to run', () => {
    expect(eventsOf(RECORDED.CLIENT_CALL).at(-1)).toEqual({
      type: 'RUN_FINISHED',
      threadId: 's1',
      runId: 'run-1',
      outcome: { type: 'success', pendingToolCallIds: ['c1_1_0'] },
    })
  })
})

describe('the run after a decision', () => {
  it('goes on in the middle of the Step', async () => {
    const before = await received(eventsOf(RECORDED.APPROVED))
    const after = eventsOf(RECORDED.APPROVED, 5)
    expect(after.map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'STATE_DELTA',
      'STATE_DELTA',
      'STEP_STARTED',
      'CUSTOM',
      'STATE_DELTA',
      'TOOL_CALL_RESULT',
      'STEP_FINISHED',
      'STEP_STARTED',
      'STATE_DELTA',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'STEP_FINISHED',
      'CUSTOM',
      'STATE_DELTA',
      'RUN_FINISHED',
    ])
    const { agent } = await received(after, before.agent.messages)
    expect(shown(agent.messages)).toEqual(['I will send it.', 'call: send {}', 'result: sent', 'Sent.'])
  })
})

describe('runs over one Turn', () => {
  it('ask again for what is still open', () => {
    const ids = (after: number) => {
      const last = eventsOf(RECORDED.TWO_ASKED, after).at(-1)
      return last?.type === 'RUN_FINISHED' && last.outcome.type === 'interrupt'
        ? last.outcome.interrupts.map(({ id }) => id)
        : []
    }
    expect(endOf(eventsOf(RECORDED.TWO_ASKED, 6, ['c1_1_0', 'c1_1_1']))).toBe('success')
    expect([ids(0), ids(6), ids(9)]).toEqual([['c1_1_0:digest', 'c1_1_1:digest'], ['c1_1_1:digest'], []])
  })
})

describe('any cut of the items', () => {
  it('leaves a run whose order the client accepts', async () => {
    const names = Object.keys(RECORDED) as Recorded[]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.nat(20), async (name, end) => {
        const cut = eventsOf(RECORDED[name].slice(0, end))
        expect(eventsOf(RECORDED[name]).slice(0, cut.length)).toEqual(cut)
        await received(cut)
      }),
      { numRuns: 150 },
    )
  })
})
