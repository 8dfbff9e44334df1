import { describe, expect, it } from 'vitest'
import { historySize } from '../../bench/world/read-history.ts'
import type { Event } from '../../src/core/event.ts'
import { gate } from '../../src/testing/gate.ts'
import {
  callTools,
  cutAfter,
  holdAfter,
  type ScriptedReply,
  type ScriptedUsage,
  say,
} from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, sharedWorld } from '../support/conversations.ts'

const PRICE = { inputUsdPerMillion: 1, outputUsdPerMillion: 3, cachedInputUsdPerMillion: 0.1 }
const PLENTY = 1_000_000_000

const shared = sharedWorld({
  tools: [
    defineTool({
      name: 'look',
      description: 'Looks.',
      effect: 'read',
      input: { type: 'object', properties: { at: { type: 'integer' } } },
      run: () => 'seen',
    }),
  ],
  agents: [
    { name: 'small', limits: { maxTokens: 100 } },
    { name: 'least', limits: { maxTokens: 1 } },
    { name: 'least-cost', limits: { maxCostMicroUsd: 1 }, price: PRICE },
    { name: 'long', limits: { maxTokens: 1_035, maxSteps: 200 } },
    {
      name: 'all',
      limits: {
        maxTokens: PLENTY,
        maxCostMicroUsd: PLENTY,
        maxSessionTokens: PLENTY,
        maxSessionCostMicroUsd: PLENTY,
      },
      price: PRICE,
    },
  ],
})

const hundred: ScriptedUsage = { inputTokens: 60, outputTokens: 40 }
const look = (at: number, more: Partial<ScriptedReply> = {}): ScriptedReply => ({
  ...callTools({ tool: 'look', arguments: { at } }),
  ...more,
})
const texts = (log: readonly Event[]): readonly string[] =>
  log.flatMap((event) => (event.type === 'assistant/message' ? [event.text] : []))
const losses = (log: readonly Event[]): readonly string[] =>
  log.flatMap((event) => (event.type === 'attempt/lost' ? [event.cause] : []))

describe.concurrent('a budget', () => {
  it('lets a final text at the limit complete, and a steer that waits opens the next Turn', async () => {
    const hold = gate()
    const talk = shared.openWith(
      'small',
      holdAfter(1, hold, say(['It ', 'is 42.'], { usage: hundred })),
      say('And 43.'),
    )
    await talk.begin()
    await talk.streaming()
    await talk.session.steer('And the next?', { id: 's1' })
    hold.open()
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'It is 42.', steps: 1 })
    expect(await talk.result('s1')).toMatchObject({ turnId: 's1', reason: 'completed', text: 'And 43.' })
    await talk.log()
  })

  it('lets the calls of a text at the limit run, keeps the text, and then ends the Turn', async () => {
    const usage = { inputTokens: 150, outputTokens: 50 }
    const talk = shared.openWith('small', look(1, { text: 'I look.', usage }))
    expect(await talk.run()).toMatchObject({
      reason: 'token-budget',
      steps: 1,
      usage,
      handBack: { done: ['Ran look.', 'Said: I look.'] },
    })
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
    expect(texts(await talk.log())).toEqual(['I look.'])
  })

  it.each(['least', 'least-cost'])(
    'allows no further attempt once a lost one has spent it (%s)',
    async (agent) => {
      const talk = shared.openWith(agent, cutAfter(1, say(['Half ', 'an answer.'])), say('Never asked for.'))
      expect(await talk.run()).toMatchObject({
        reason: agent === 'least' ? 'token-budget' : 'cost-budget',
        usage: { estimated: true },
        handBack: { done: ['Said: Half'] },
      })
      expect(talk.requests).toHaveLength(1)
      const log = await talk.log()
      expect(losses(log)).toEqual(['provider-failed'])
      expect(texts(log)).toEqual(['Half '])
    },
  )

  it('allows no second try of an empty answer that has spent it', async () => {
    const talk = shared.openWith('small', say('', { usage: hundred }), say('Never asked for.'))
    expect(await talk.run()).toMatchObject({ reason: 'token-budget', usage: hundred })
    expect(talk.requests).toHaveLength(1)
    expect(losses(await talk.log())).toEqual(['empty'])
  })

  it('counts attempts that were lost, and goes on with what is left', async () => {
    const empty = { inputTokens: 30, outputTokens: 10 }
    const talk = shared.openWith(
      'small',
      say('', { usage: empty }),
      look(1, { usage: { inputTokens: 50, outputTokens: 9 } }),
      look(2, { usage: { inputTokens: 1, outputTokens: 0 } }),
    )
    expect(await talk.run()).toMatchObject({
      reason: 'token-budget',
      steps: 2,
      usage: { inputTokens: 81, outputTokens: 19 },
    })
    await talk.log()
  })

  it('counts what the provider does not report by an estimate (B62)', async () => {
    const talk = shared.openWith('small', {
      ...callTools({ tool: 'look', arguments: { at: 1, because: 'it has to be seen. '.repeat(30) } }),
      usage: null,
    })
    expect(await talk.run()).toMatchObject({ reason: 'token-budget', usage: { estimated: true } })
    expect(await talk.session.turn('f1').cost()).toMatchObject({
      cost: null,
      coverage: 0,
      steps: [{ step: 1, usage: { estimated: true }, coverage: 0, attemptsLost: 0 }],
    })
    await talk.log()
  })

  it('knows what each Step cost, cached input once and at its own price', async () => {
    const talk = shared.openWith(
      'all',
      look(1, { usage: { inputTokens: 1_000, outputTokens: 10 } }),
      say('', { usage: { inputTokens: 1_100, outputTokens: 0, cachedInputTokens: 1_000 } }),
      say('Done.', { usage: { inputTokens: 1_100, outputTokens: 20, cachedInputTokens: 1_000 } }),
    )
    expect(await talk.run()).toMatchObject({ reason: 'completed', cost: 1_490 })
    expect(await talk.session.turn('f1').cost()).toEqual({
      turnId: 'f1',
      usage: { inputTokens: 3_200, outputTokens: 30, cachedInputTokens: 2_000 },
      cost: 1_490,
      attemptsLost: 1,
      coverage: 1,
      steps: [
        {
          step: 1,
          usage: { inputTokens: 1_000, outputTokens: 10 },
          cost: 1_030,
          attemptsLost: 0,
          coverage: 1,
        },
        {
          step: 2,
          usage: { inputTokens: 2_200, outputTokens: 20, cachedInputTokens: 2_000 },
          cost: 460,
          attemptsLost: 1,
          coverage: 1,
        },
      ],
    })
    await talk.session.whenIdle()
    expect(await talk.session.status()).toMatchObject({ spent: { tokens: 3_230, costMicroUsd: 1_490 } })
  })

  it('adds a few bytes to the history of a Step, and no event', async () => {
    const steps = 12
    const plain = await sizeOf('tester', steps)
    const budgeted = await sizeOf('all', steps)
    expect(budgeted.events).toBe(plain.events)
    expect((budgeted.bytes - plain.bytes) / steps).toBeLessThan(50)
  })

  it('goes along when the Turn continues in another run, and so does the time that is left', {
    timeout: 120_000,
  }, async () => {
    const usage = { inputTokens: 9, outputTokens: 1 }
    const looks = Array.from({ length: 110 }, (_, index) => look(index, { usage }))
    const talk = shared.openWith('long', ...looks)
    await talk.begin()
    const result = await talk.session.turn('f1').result({ timeoutMs: 110_000 })
    expect(result).toMatchObject({ reason: 'token-budget', steps: 104, usage: { inputTokens: 936 } })
    const log = await talk.log()
    const continued = log.find((event) => event.type === 'turn/continued')
    const runId = continued?.type === 'turn/continued' ? continued.runId : ''
    const { spent, remainingMs } = await carriedInto(talk, runId)
    expect(spent).toEqual([1_000, 0])
    expect(remainingMs).toBeLessThan(5 * 60_000)
  })
})

async function sizeOf(agent: string, steps: number): ReturnType<typeof historySize> {
  const looks = Array.from({ length: steps }, (_, index) => look(index))
  const talk = shared.openWith(agent, ...looks, say('Done.'))
  expect(await talk.run()).toMatchObject({ reason: 'completed' })
  await talk.log()
  return historySize(shared.world.temporal, talk.workflowId)
}

/** What a run was handed of its Turn. */
async function carriedInto(
  talk: Conversation,
  runId: string,
): Promise<{ readonly spent?: unknown; readonly remainingMs: number }> {
  const handle = shared.world.temporal.workflow.getHandle(talk.workflowId, runId)
  const { events } = await handle.fetchHistory()
  const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data
  return JSON.parse(Buffer.from(payload ?? []).toString('utf8')).turn
}
