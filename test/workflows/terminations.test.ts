import { describe, expect, it } from 'vitest'
import {
  callTools,
  cutAfter,
  hang,
  malformedAfter,
  rateLimited,
  type ScriptedAnswer,
  type ScriptedReply,
  say,
  serverError,
} from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { sharedWorld } from '../support/conversations.ts'

const PRICE = { inputUsdPerMillion: 1, outputUsdPerMillion: 3 }

const input = { type: 'object' } as const
const world = sharedWorld({
  tools: [
    defineTool({ name: 'look', description: 'Looks.', effect: 'read', input, run: () => 'seen' }),
    defineTool({ name: 'send', description: 'Sends.', effect: 'once', input, run: () => 'sent' }),
  ],
  agents: [
    { name: 'two-steps', limits: { maxSteps: 2 } },
    { name: 'brief', limits: { maxDurationMs: 6_000 } },
    { name: 'token-budget', limits: { maxTokens: 100 } },
    { name: 'cost-budget', limits: { maxCostMicroUsd: 100 }, price: PRICE },
    { name: 'session-tokens', limits: { maxSessionTokens: 100 } },
    { name: 'session-cost', limits: { maxSessionCostMicroUsd: 100 }, price: PRICE },
    { name: 'impatient', limits: { maxModelAttempts: 1 } },
  ],
})

/** A call that takes 100 tokens, which cost 100 micro-USD by that price. */
const dearCall: ScriptedReply = {
  ...callTools({ tool: 'look' }),
  usage: { inputTokens: 100, outputTokens: 0 },
}
const cheapCall: ScriptedReply = { ...dearCall, usage: { inputTokens: 99, outputTokens: 0 } }
const look = (at: number): ScriptedReply => callTools({ tool: 'look', arguments: { at } })
const send = callTools({ tool: 'send' })
const cut: ScriptedAnswer = { text: 'And so on and', finish: 'length' }
const status = (code: number, body?: unknown): ScriptedAnswer => ({
  kind: 'status',
  status: code,
  ...(body === undefined ? {} : { body }),
})
const tooLong = {
  error: { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' },
}

interface Termination {
  readonly end: string
  /** Default: the agent with the default limits. */
  readonly agent?: string
  readonly script: readonly ScriptedAnswer[]
  /** What the Turn's outcome says. */
  readonly outcome: object
  readonly blockedBy: string
  readonly next: string
  /** What the next Turn may do, because what ended this one is counted afresh. Default: say something. */
  readonly afresh?: readonly ScriptedAnswer[]
}

const GO_ON = 'Send a message to go on'
const TERMINATIONS: readonly Termination[] = [
  {
    end: 'max-steps',
    agent: 'two-steps',
    script: [look(1), look(2)],
    outcome: { reason: 'max-steps', steps: 2 },
    blockedBy: 'The step limit of this turn is used up.',
    next: 'Send a message to go on with a new limit, or raise maxSteps of the agent.',
    afresh: [look(3), say('Done.')],
  },
  {
    end: 'max-duration',
    agent: 'brief',
    script: [look(1), hang()],
    outcome: { reason: 'max-duration', steps: 2 },
    blockedBy: 'The time limit of this turn is used up.',
    next: 'Send a message to go on with a new limit, or raise maxDurationMs of the agent.',
    afresh: [look(2), say('Done.')],
  },
  {
    end: 'token-budget',
    agent: 'token-budget',
    script: [dearCall],
    outcome: { reason: 'token-budget', steps: 1, usage: { inputTokens: 100, outputTokens: 0 }, cost: null },
    blockedBy: 'The token budget of this turn is used up.',
    next: 'Send a message to go on with a new budget, or raise maxTokens of the agent.',
    afresh: [cheapCall, say('Done.')],
  },
  {
    end: 'cost-budget',
    agent: 'cost-budget',
    script: [dearCall],
    outcome: { reason: 'cost-budget', steps: 1, cost: 100 },
    blockedBy: 'The cost budget of this turn is used up.',
    next: 'Send a message to go on with a new budget, or raise maxCostMicroUsd of the agent.',
    afresh: [cheapCall, say('Done.')],
  },
  {
    end: 'stalled',
    script: [send, send, send, send],
    outcome: { reason: 'stalled', steps: 4 },
    blockedBy: 'The model kept asking for the same tool calls, which gave nothing new.',
    next: 'Say what to do differently, or give the information that is missing.',
    afresh: [send, send, send, say('Done.')],
  },
  {
    end: 'output cut three times',
    script: [cut, cut, cut],
    outcome: { reason: 'max-tokens', steps: 3 },
    blockedBy: "The model's output was cut off three times in a row.",
    next: 'Ask for a shorter answer or smaller pieces, or raise the output limit of the model.',
    afresh: [cut, cut, say('Done.')],
  },
  {
    end: 'a content filter (B40)',
    script: [{ finish: 'content_filter' }],
    outcome: { reason: 'provider-refused', steps: 1 },
    blockedBy: 'The model provider refused to answer.',
    next: 'Put the request differently, or use another model.',
  },
  {
    end: 'a refusal (B40)',
    script: [look(1), { refusal: 'I cannot help with that.' }],
    outcome: { reason: 'provider-refused', steps: 2 },
    blockedBy: 'The model provider refused to answer.',
    next: 'Put the request differently, or use another model.',
  },
  {
    end: 'error: provider-rejected',
    script: [status(400)],
    outcome: { reason: 'error', code: 'provider-rejected' },
    blockedBy: 'The model provider rejected the request as invalid.',
    next: "Check the model's name and settings, then send a message to go on.",
  },
  {
    end: 'error: provider-auth',
    script: [status(401)],
    outcome: { reason: 'error', code: 'provider-auth' },
    blockedBy: 'The model provider did not accept the API key or the account.',
    next: 'Correct the key or the account, then send a message to go on.',
  },
  {
    end: 'error: context-too-long',
    script: [status(400, tooLong)],
    outcome: { reason: 'error', code: 'context-too-long' },
    blockedBy: "The conversation is longer than the model's context window.",
    next: 'Start a new session with what matters, or use a model with a larger window.',
  },
  {
    end: 'error: rate-limited',
    script: [rateLimited(86_400)],
    outcome: { reason: 'error', code: 'rate-limited' },
    blockedBy: 'The model provider limits how often it may be asked, and the wait was too long.',
    next: `Wait a while, then ${GO_ON.toLowerCase()}.`,
  },
  {
    end: 'error: provider-unavailable',
    agent: 'impatient',
    script: [serverError(503)],
    outcome: { reason: 'error', code: 'provider-unavailable' },
    blockedBy: 'The model provider could not be reached.',
    next: 'Send a message to try again when the provider is back.',
  },
  {
    end: 'error: provider-protocol',
    agent: 'impatient',
    script: [malformedAfter(1, say(['Half ', 'an answer.']))],
    outcome: { reason: 'error', code: 'provider-protocol' },
    blockedBy: 'The model provider answered with something that could not be read.',
    next: 'Send a message to try again, or check the base URL of the provider.',
  },
  {
    end: 'error: empty-completion',
    script: [say(''), say('')],
    outcome: { reason: 'error', code: 'empty-completion' },
    blockedBy: 'The model answered with nothing, twice.',
    next: 'Send a message to try again.',
  },
]

// `worker-lost`, `terminated`, `log-behind`: test/faults. `aborted`: test/workflows/abort.test.ts.
describe.concurrent('a Turn that ends before it is finished', () => {
  it.each(TERMINATIONS)(
    'by $end says so, hands back, and leaves the next Turn what it needs',
    async (one) => {
      const { agent = 'tester', script, outcome, blockedBy, next, afresh = [say('Done.')] } = one
      const talk = world.openWith(agent, ...script)
      expect(await talk.run()).toMatchObject({ ...outcome, handBack: { blockedBy, next } })
      expect(talk.requests).toHaveLength(script.length)

      talk.enqueue(...afresh)
      await talk.session.followup('Go on.', { id: 'f2' })
      expect(await talk.result('f2')).toMatchObject({
        reason: 'completed',
        text: 'Done.',
        steps: afresh.length,
      })
      await talk.log()
    },
  )

  it.each([
    [
      'session-tokens',
      'token-budget',
      'The token budget of this session is used up.',
      'Start a new session with what matters, or raise maxSessionTokens of the agent.',
    ],
    [
      'session-cost',
      'cost-budget',
      'The cost budget of this session is used up.',
      'Start a new session with what matters, or raise maxSessionCostMicroUsd of the agent.',
    ],
  ])(
    'by the budget of its Session (%s) says so, and so does the next, before it asks a model',
    async (...row) => {
      const [agent, reason, blockedBy, next] = row
      const end = { reason, scope: 'session', handBack: { blockedBy, next } }
      const talk = world.openWith(
        agent,
        say('Yes.', { usage: { inputTokens: 1, outputTokens: 0 } }),
        cheapCall,
      )
      expect(await talk.run()).toMatchObject({ reason: 'completed' })
      await talk.session.followup('More.', { id: 'f2' })
      expect(await talk.result('f2')).toMatchObject({ ...end, steps: 1 })
      await talk.session.followup('And more.', { id: 'f3' })
      expect(await talk.result('f3')).toMatchObject({ ...end, steps: 0, usage: { inputTokens: 0 } })
      expect(talk.requests).toHaveLength(2)
      await talk.log()
    },
  )

  it('because no worker knows its agent, hands back', async () => {
    const talk = world.openWith('nobody')
    expect(await talk.run()).toMatchObject({
      reason: 'error',
      code: 'unknown-agent',
      handBack: { blockedBy: 'No worker knows the agent of this session.' },
    })
    await talk.log()
  })

  it('because a provider failed in the middle, keeps what was shown and counts what was paid', async () => {
    const talk = world.openWith('impatient', cutAfter(1, say(['Half ', 'an answer.'])))
    expect(await talk.run()).toMatchObject({
      reason: 'error',
      code: 'provider-unavailable',
      handBack: { done: ['Said: Half'] },
      usage: { estimated: true },
    })
    await talk.log()
  })
})
