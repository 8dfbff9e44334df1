import { describe, expect, it } from 'vitest'
import { callTools, type ScriptedAnswer, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, receiptsIn, sharedWorld } from '../support/conversations.ts'

/** Results that the tools give, by Session, one after the other; the last one again and again. */
const results = new Map<string, string[]>()
const runs: string[] = []

const run =
  (tool: string) =>
  (_args: unknown, { session }: { readonly session: { readonly session: string } }) => {
    runs.push(`${session.session} ${tool}`)
    const list = results.get(session.session) ?? []
    return (list.length > 1 ? list.shift() : list[0]) ?? `${tool} says so`
  }
const input = { type: 'object' } as const
const read = (name: string, more = {}) =>
  defineTool({ name, description: 'Looks.', effect: 'read', input, run: run(name), ...more })

const cases = sharedWorld({
  limits: { maxSteps: 12 },
  tools: [
    read('status'),
    read('poll', { poll: { maxCalls: 4 } }),
    read('a'),
    read('b'),
    read('c'),
    defineTool({ name: 'send', description: 'Sends.', effect: 'once', input, run: run('send') }),
  ],
})

const call = (tool: string): ScriptedAnswer => callTools({ tool, arguments: { job: 7 } })
const calls = (...tools: readonly string[]): readonly ScriptedAnswer[] => tools.map(call)
const runsOf = ({ session }: Conversation): readonly string[] =>
  runs.filter((one) => one.startsWith(session.id)).map((one) => one.split(' ')[1] ?? '')
const kinds = async (talk: Conversation): Promise<readonly string[]> =>
  (await talk.receipts()).map((receipt) => receipt.split(' ')[1] ?? '')

describe.concurrent('the loop guard', () => {
  it('B56: lets the same call run while its result changes', async () => {
    const talk = cases.open(...calls('status', 'status', 'status', 'status'), say('Done.'))
    results.set(talk.session.id, ['1 of 4', '2 of 4', '3 of 4', 'done'])
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Done.' })
    expect(receiptsIn(talk.requests[4])).toEqual(['1 of 4', '2 of 4', '3 of 4', 'done'])
  })

  it('B56: lets a poll run within its own limit, whatever it says', async () => {
    const talk = cases.open(...calls('poll', 'poll', 'poll', 'poll', 'poll'), say('Done.'))
    results.set(talk.session.id, ['pending', 'pending', 'pending', 'done'])
    expect(await talk.run()).toMatchObject({ reason: 'completed' })
    expect(await kinds(talk)).toEqual(['ok', 'ok', 'ok', 'ok', 'repeated'])
    expect(runsOf(talk)).toEqual(['poll', 'poll', 'poll', 'poll'])
  })

  it('B56: reminds before it refuses, and the Turn goes on', async () => {
    const talk = cases.open(...calls('status', 'status', 'status'), say('It is pending.'))
    results.set(talk.session.id, ['pending'])
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'It is pending.' })
    expect(receiptsIn(talk.requests[3])).toEqual([
      'pending',
      expect.stringMatching(/^Unchanged:/),
      expect.stringMatching(/^Not run: this is the same call/),
    ])
    expect(runsOf(talk)).toEqual(['status', 'status'])
  })

  it.each([
    ['1', 'a a a a a'],
    ['2', 'a b a b a b a b a b'],
    ['3', 'a b c a b c a b c a b c'],
  ])('B58: ends a loop of period %s that goes on', async (_period, tools) => {
    const talk = cases.open(...calls(...tools.split(' ')))
    expect(await talk.run()).toMatchObject({ reason: expect.stringMatching(/^(stalled|max-steps)$/) })
    const period = Number(_period)
    expect(runsOf(talk)).toHaveLength(2 * period)
    expect((await kinds(talk)).filter((kind) => kind === 'repeated').length).toBeGreaterThanOrEqual(3)
  })

  it('B58: leaves a block alone whose results vary', async () => {
    const talk = cases.open(...calls('a', 'b', 'a', 'b', 'a', 'b'), say('Done.'))
    results.set(talk.session.id, ['1', '2', '3', '4', '5', '6'])
    expect(await talk.run()).toMatchObject({ reason: 'completed' })
    expect(runsOf(talk)).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  })

  it('B58: does not run a call with one effect again', async () => {
    const talk = cases.open(...calls('send', 'send'), say('Sent.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed' })
    expect(await kinds(talk)).toEqual(['ok', 'repeated'])
    expect(runsOf(talk)).toEqual(['send'])
  })

  it('B58: starts afresh with the next Turn', async () => {
    const talk = cases.open(
      ...calls('status', 'status', 'status'),
      say('Pending.'),
      call('status'),
      say('Still.'),
    )
    await talk.run()
    await talk.session.followup('Look again.', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'Still.' })
    expect(runsOf(talk)).toEqual(['status', 'status', 'status'])
  })
})

describe.concurrent('the step limit', () => {
  it('B60: is an end of its own, with a hand-back, though text came before', async () => {
    const talk = cases.open(
      ...Array.from(
        { length: 12 },
        (_, index): ScriptedAnswer => ({
          text: `Step ${index + 1}.`,
          calls: [{ tool: 'a', arguments: { index } }],
        }),
      ),
    )
    const result = await talk.run()
    expect(result).toMatchObject({
      reason: 'max-steps',
      steps: 12,
      handBack: {
        done: ['Ran a 12 times.', 'Said: Step 12.'],
        blockedBy: 'The step limit of this turn is used up.',
        next: 'Send a message to go on with a new limit, or raise maxSteps of the agent.',
      },
    })
    expect(runsOf(talk)).toHaveLength(12)
    expect(talk.requests).toHaveLength(12)
  })

  it('B60: starts afresh with the next Turn, which is told what was left', async () => {
    const many = Array.from({ length: 12 }, (_, index) => callTools({ tool: 'b', arguments: { index } }))
    const talk = cases.open(...many, call('b'), say('Finished.'))
    expect(await talk.run()).toMatchObject({ reason: 'max-steps' })
    await talk.session.followup('Go on.', { id: 'f2' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'Finished.', steps: 2 })
    const messages = talk.requests[12]?.messages ?? []
    expect(messages.at(-2)).toMatchObject({
      role: 'assistant',
      content: expect.stringContaining('The step limit of this turn is used up.'),
    })
  })

  it('B60: does not turn a final answer at the limit into anything else', async () => {
    const many = Array.from({ length: 11 }, (_, index) => callTools({ tool: 'c', arguments: { index } }))
    const talk = cases.open(...many, say('Just in time.'))
    expect(await talk.run()).toMatchObject({ reason: 'completed', text: 'Just in time.', steps: 12 })
  })
})
