import { describe, expect, it } from 'vitest'
import { gate } from '../../src/testing/gate.ts'
import { callTools, holdAfter, type ScriptedReply, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { sharedWorld } from '../support/conversations.ts'

const PRICE = { inputUsdPerMillion: 1, outputUsdPerMillion: 3 }

const cases = sharedWorld({
  tools: [
    defineTool({
      name: 'edit',
      description: 'Edits.',
      effect: 'idempotent',
      input: { type: 'object', properties: { line: { type: 'integer' } } },
      run: () => 'edited',
    }),
  ],
  agents: [
    { name: 'max-steps', limits: { maxSteps: 3 } },
    { name: 'token-budget', limits: { maxTokens: 30 } },
    { name: 'cost-budget', limits: { maxCostMicroUsd: 30 }, price: PRICE },
  ],
})

/** Text and a call, which take 10 tokens and cost 10 micro-USD. */
const edit = (line: number): ScriptedReply => ({
  ...callTools({ tool: 'edit', arguments: { line } }),
  text: `I edit line ${line}.`,
  usage: { inputTokens: 10, outputTokens: 0 },
})
const NO_USAGE = { usage: null } as const

describe.concurrent('limits', () => {
  it.each([
    ['max-steps', 'The step limit of this turn is used up.'],
    ['token-budget', 'The token budget of this turn is used up.'],
    ['cost-budget', 'The cost budget of this turn is used up.'],
  ])(
    'B60: %s in the middle of work is stored and returned, whatever was said before',
    async (limit, blockedBy) => {
      const talk = cases.openWith(limit, edit(1), edit(2), edit(3), edit(4))
      const end = {
        reason: limit,
        handBack: {
          done: ['Ran edit 3 times.', 'Said: I edit line 3.'],
          blockedBy,
          next: expect.stringMatching(/^Send a message to go on with a new/),
        },
      }
      expect(await talk.run()).toMatchObject({ ...end, steps: 3 })
      expect(talk.requests).toHaveLength(3)
      expect((await talk.log()).at(-1)).toMatchObject({ type: 'turn/end', ...end })
      const told = (await talk.session.messages()).at(-1)
      expect(told).toMatchObject({ role: 'assistant', text: expect.stringContaining(blockedBy) })
    },
  )

  it('B60: a limit holds on every path: a steer in the middle brings no Step more', async () => {
    const hold = gate()
    const talk = cases.openWith('max-steps', edit(1), holdAfter(1, hold, edit(2)), edit(3), say('Next.'))
    await talk.begin()
    await talk.request(2, ({ chunksSent }) => chunksSent > 0)
    await talk.session.steer('Line 4 as well.', { id: 's1' })
    hold.open()
    expect(await talk.result('f1')).toMatchObject({ reason: 'max-steps', steps: 3 })
    expect(await talk.result('s1')).toMatchObject({ turnId: 'f1', reason: 'max-steps' })
    await talk.log()
  })

  it('B60: a turn that ended at a limit goes on from there with the next message', async () => {
    const talk = cases.openWith('token-budget', edit(1), edit(2), edit(3))
    expect(await talk.run()).toMatchObject({ reason: 'token-budget' })
    talk.enqueue(edit(4), say('All edited.'))
    await talk.session.followup('Go on.', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'All edited.', steps: 2 })
    await talk.log()
  })

  it('B62: a budget is not blind where the provider reports nothing', async () => {
    const silent = (line: number): ScriptedReply => ({ ...edit(line), ...NO_USAGE })
    const talk = cases.openWith('cost-budget', silent(1), silent(2), silent(3), silent(4))
    const result = await talk.run()
    expect(result).toMatchObject({ reason: 'cost-budget', usage: { estimated: true } })
    const { cost, coverage } = await talk.session.turn('f1').cost()
    expect(result).toMatchObject({ cost })
    expect(cost).toBeGreaterThanOrEqual(30)
    expect(coverage).toBe(0)
    await talk.log()
  })

  it('B62: a report says how much of it is estimated', async () => {
    const talk = cases.open(edit(1), { ...say('Done.'), ...NO_USAGE })
    expect(await talk.run()).toMatchObject({ reason: 'completed', usage: { estimated: true } })
    const { coverage, steps } = await talk.session.turn('f1').cost()
    expect(steps.map((step) => step.coverage)).toEqual([1, 0])
    expect(coverage).toBeGreaterThan(0)
    expect(coverage).toBeLessThan(1)
  })
})
