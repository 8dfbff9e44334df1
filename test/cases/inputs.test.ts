import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/event.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { type Gate, gate } from '../../src/testing/gate.ts'
import { callTools, hang, holdAfter, type ScriptedReply, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, receiptsIn, sharedWorld } from '../support/conversations.ts'

/** What the tool `wait` waits for, by Session, and how often it has started. */
const toolGates = new Map<string, Gate>()
const started = new Map<string, number>()

const cases = sharedWorld({
  limits: { maxSteps: 4, maxModelAttempts: 1 },
  tools: [
    defineTool({
      name: 'wait',
      description: 'Waits.',
      effect: 'read',
      input: { type: 'object' },
      run: async (_args, { session }) => {
        started.set(session.session, (started.get(session.session) ?? 0) + 1)
        await toolGates.get(session.session)?.opened
        return 'waited'
      },
    }),
  ],
})

const CUT: ScriptedReply = { text: ['Ha', 'lf'], finish: 'length' }
const callWait = (n: number): ScriptedReply => callTools({ tool: 'wait', arguments: { n } })

const userTexts = (talk: Conversation, nth: number): readonly string[] =>
  (talk.requests[nth - 1]?.messages ?? []).filter(({ role }) => role === 'user').map(chatText)
const fatesOf = (log: readonly Event[], id: string): readonly string[] =>
  log.flatMap((event) => (event.key === `input:${id}` ? [event.type] : []))

async function toolStarted(talk: Conversation): Promise<void> {
  for await (const event of talk.session.events({ follow: true })) if (event.type === 'tool/call') return
}

describe.concurrent('inputs', () => {
  it('B12: a steer during the last answer makes one more Step of the same Turn', async () => {
    const hold = gate()
    const talk = cases.open(holdAfter(1, hold, say(['Here ', 'you are.'])), say('And that, too.'))
    await talk.begin()
    await talk.streaming()
    await talk.session.steer('That, too.', { id: 's1' })
    hold.open()
    expect(await talk.result('s1')).toMatchObject({
      turnId: 'f1',
      reason: 'completed',
      text: 'And that, too.',
    })
    expect(fatesOf(await talk.log(), 's1')).toEqual(['user/message'])
    expect(talk.requests).toHaveLength(2)
  })

  it('B12: a steer during the last answer that a budget allows opens the next Turn', async () => {
    const hold = gate()
    const talk = cases.open(
      ...[1, 2, 3].map(callWait),
      holdAfter(1, hold, say(['Here ', 'you are.'])),
      say('And that, too.'),
    )
    await talk.begin()
    await talk.streaming(4)
    await talk.session.steer('That, too.', { id: 's1' })
    hold.open()
    expect(await talk.result('s1')).toMatchObject({ turnId: 's1', turn: 2, text: 'And that, too.' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Here you are.', steps: 4 })
  })

  it('B14: a steer during one of five calls is in the next request, behind every receipt', async () => {
    const talk = cases.open(
      callTools(...[1, 2, 3, 4, 5].map((n) => ({ tool: 'wait', arguments: { n } }))),
      say('Done, to the left.'),
    )
    const hold = gate()
    toolGates.set(talk.session.id, hold)
    await talk.begin()
    await toolStarted(talk)
    await talk.session.steer('To the left.', { id: 's1' })
    hold.open()
    expect(await talk.result('s1')).toMatchObject({ turnId: 'f1', text: 'Done, to the left.' })
    const messages = talk.requests[1]?.messages ?? []
    expect(messages.slice(-6).map(({ role }) => role)).toEqual([
      'tool',
      'tool',
      'tool',
      'tool',
      'tool',
      'user',
    ])
    expect(receiptsIn(talk.requests[1])).toEqual(['waited', 'waited', 'waited', 'waited', 'waited'])
    expect(started.get(talk.session.id)).toBe(5)
  })

  it('B16: each message sent during work has one fate, and waits visibly until then', async () => {
    const talk = cases.open(callTools({ tool: 'wait' }), say('One.'), say('Two.'), say('Three.'))
    const hold = gate()
    toolGates.set(talk.session.id, hold)
    await talk.begin()
    await toolStarted(talk)
    await talk.session.steer('Correction.', { id: 's1' })
    await talk.session.followup('Later.', { id: 'f2' })
    await talk.session.steer('For another turn.', { id: 's2', expectedTurnId: 'f0', ifStale: 'refuse' })
    await talk.session.steer('For another turn, or later.', { id: 's3', expectedTurnId: 'f0' })
    await talk.session.followup('Never mind.', { id: 'f3' })
    const { pending } = await talk.session.status()
    expect(pending?.map(({ id, lane }) => `${id} ${lane}`)).toEqual([
      's1 next-step',
      'f2 next-turn',
      's2 next-step',
      's3 next-step',
      'f3 next-turn',
    ])
    await talk.session.withdraw('f3')
    hold.open()
    expect(await talk.result('s1')).toMatchObject({ fate: 'claimed', turnId: 'f1' })
    expect(await talk.result('f2')).toMatchObject({ fate: 'claimed', turnId: 'f2' })
    expect(await talk.result('s2')).toEqual({ fate: 'refused', reason: 'stale-turn' })
    expect(await talk.result('s3')).toMatchObject({ fate: 'claimed', turnId: 's3' })
    expect(await talk.result('f3')).toEqual({ fate: 'withdrawn' })
    const log = await talk.log()
    for (const id of ['f1', 's1', 'f2', 's2', 's3', 'f3']) expect(fatesOf(log, id)).toHaveLength(1)
  })

  it.each([
    ['an error', (hold: Gate) => [hang(hold)], 'error'],
    [
      'a refusal',
      (hold: Gate) => [holdAfter(1, hold, { text: ['No', '.'], finish: 'content_filter' })],
      'provider-refused',
    ],
    ['three cuts', (hold: Gate) => [holdAfter(1, hold, CUT), CUT, CUT], 'max-tokens'],
    [
      'the step limit',
      (hold: Gate) => [holdAfter(1, hold, callWait(1)), ...[2, 3, 4].map(callWait)],
      'max-steps',
    ],
    ['an answer', (hold: Gate) => [holdAfter(1, hold, say(['Do', 'ne.']))], 'completed'],
  ] as const)('B18: messages that wait are handed over after %s', async (what, script, reason) => {
    const hold = gate()
    const talk = cases.open(...script(hold), say('Next.'), say('Last.'))
    await talk.begin()
    if (what === 'an error') await talk.request(1)
    else await talk.streaming()
    await talk.session.followup('Next, please.', { id: 'f2' })
    await talk.session.followup('Last, please.', { id: 'f3' })
    hold.open()
    expect(await talk.result('f1')).toMatchObject({ reason })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'Next.' })
    expect(await talk.result('f3')).toMatchObject({ reason: 'completed', text: 'Last.' })
    await talk.log()
  })

  it('B20: an interrupt goes on with the messages that wait, where it was told so', async () => {
    const talk = cases.open(say(['It ', 'is.'], { interruptions: [{ kind: 'hang', afterChunks: 1 }] }))
    await talk.begin()
    await talk.streaming()
    await talk.session.followup('Next, please.', { id: 'f2' })
    talk.enqueue(say('Next.'))
    const aborted = await talk.session.abort({ turnId: 'f1', queue: 'run', timeoutMs: 20_000 })
    expect(aborted).toMatchObject({ reason: 'aborted', inputs: [{ id: 'f1', fate: 'claimed' }] })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'Next.' })
  })

  it('B20: an interrupt that takes back what waits says so, and the Session goes on', async () => {
    const talk = cases.open(say(['It ', 'is.'], { interruptions: [{ kind: 'hang', afterChunks: 1 }] }))
    await talk.begin()
    await talk.streaming()
    await talk.session.followup('Next, please.', { id: 'f2' })
    talk.enqueue(say('Something else.'))
    const aborted = await talk.session.abort({ turnId: 'f1', timeoutMs: 20_000 })
    expect(aborted.inputs).toContainEqual({ id: 'f2', fate: 'withdrawn' })
    expect(await talk.result('f2')).toEqual({ fate: 'withdrawn' })
    await talk.session.followup('Something else.', { id: 'f3' })
    expect(await talk.result('f3')).toMatchObject({ reason: 'completed', text: 'Something else.' })
    expect(await talk.session.status()).toMatchObject({ pending: [] })
  })

  it('B20: an interrupt with a message goes on with that message', async () => {
    const talk = cases.open(say(['It ', 'is.'], { interruptions: [{ kind: 'hang', afterChunks: 1 }] }))
    await talk.begin()
    await talk.streaming()
    talk.enqueue(say('This, then.'))
    await talk.session.followup('No, this.', { id: 'f2', whenBusy: 'interrupt' })
    expect(await talk.result('f2')).toMatchObject({ reason: 'completed', text: 'This, then.' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'aborted' })
    expect(userTexts(talk, 2)).toContain('No, this.')
  })
})
