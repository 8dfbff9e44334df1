import { afterEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/client/index.ts'
import type { Event, EventOf } from '../../src/core/event.ts'
import type { Guardrails, InputGuardrail, OutputGuardrail } from '../../src/core/guardrail.ts'
import { textOf } from '../../src/core/message.ts'
import { chatText } from '../../src/testing/chat-request.ts'
import { gate } from '../../src/testing/gate.ts'
import { callTools, holdBeforeFirstToken, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { sequenceOf, TurnWorld, type WorldOptions } from '../support/turn-world.ts'

const SECRET = 'xyzzy-4711'

/** Blocks, rewrites or passes by what the input says. */
const noSecrets: InputGuardrail = {
  name: 'no-secrets',
  judge: (content) => {
    const text = textOf(content)
    if (text.includes(SECRET)) return { verdict: 'block', reason: 'It holds a secret.' }
    if (text.includes('shout')) return { verdict: 'rewrite', content: text.replace('shout', 'whisper') }
    return { verdict: 'pass' }
  },
}

/** Blocks, rewrites, objects to or passes by what the model says. */
const polite: OutputGuardrail = {
  name: 'polite',
  judge: (text) => {
    if (text.includes(SECRET)) return { verdict: 'block', reason: 'It tells a secret.' }
    if (text.includes('darn')) return { verdict: 'rewrite', content: text.replace('darn', 'dear') }
    if (text.includes('rude')) return { verdict: 'object', reason: 'Be polite.' }
    return { verdict: 'pass' }
  },
}

describe('guardrails', () => {
  let world: TurnWorld | undefined
  afterEach(() => world?.close())

  async function open(guardrails: Guardrails, options: WorldOptions = {}): Promise<Session> {
    world = await TurnWorld.open({ ...options, guardrails })
    await world.startWorker()
    return world.client.session(world.newSessionId())
  }

  async function ask(session: Session, text: string, id = 'f1') {
    await session.followup(text, { id })
    return session.turn(id).result({ timeoutMs: 30_000 })
  }

  const settled = async (session: Session): Promise<readonly Event[]> => {
    await session.whenIdle({ timeoutMs: 30_000 })
    return (world as TurnWorld).settledLog(session.id)
  }

  /** What the nth request tells the model, without the instructions. */
  const told = (nth: number): readonly string[] =>
    ((world as TurnWorld).model.journal.chats[nth - 1]?.body.messages ?? [])
      .filter(({ role }) => role !== 'system')
      .map((message) => `${message.role}: ${chatText(message)}`)

  const verdicts = (log: readonly Event[]): readonly string[] =>
    log
      .filter((event): event is EventOf<'guardrail/judged'> => event.type === 'guardrail/judged')
      .map(({ stage, verdict, guardrail }) => [stage, verdict, guardrail].filter(Boolean).join(' '))

  describe('of inputs', () => {
    it('let what they pass open the Turn', async () => {
      const session = await open({ input: [noSecrets] }, { script: [say('Hello.')] })
      expect(await ask(session, 'Hi')).toMatchObject({ reason: 'completed', text: 'Hello.' })
      expect(sequenceOf(await settled(session))).toEqual([
        'turn/start',
        'user/message',
        'guardrail/judged',
        'step/start',
        'assistant/message',
        'step/end',
        'turn/end',
      ])
      expect(told(1)).toEqual(['user: Hi'])
    })

    it('end the Turn blocked before a model is asked, and the text reaches no later request', async () => {
      const session = await open({ input: [noSecrets] }, { script: [say('Hello.')] })
      const result = await ask(session, `My key is ${SECRET}`)
      expect(result).toMatchObject({
        reason: 'blocked',
        steps: 0,
        handBack: {
          done: [],
          blockedBy: 'The guardrail no-secrets does not allow your message: It holds a secret.',
          next: 'Ask for something else, or change the guardrail.',
        },
      })
      expect(sequenceOf(await settled(session))).toEqual([
        'turn/start',
        'user/message',
        'guardrail/judged',
        'turn/end',
      ])
      expect(await ask(session, 'Hi', 'f2')).toMatchObject({ reason: 'completed' })
      expect(world?.model.journal.count).toBe(1)
      expect(told(1)[0]).toBe('user: [A message of the user was blocked by a guardrail and is not shown.]')
      expect(told(1).at(-1)).toBe('user: Hi')
      expect(JSON.stringify(world?.model.journal.chats[0]?.body)).not.toContain(SECRET)
      expect(JSON.stringify(await session.messages())).not.toContain(SECRET)
      await settled(session)
    })

    it('are told the conversation so far', async () => {
      const seen: string[] = []
      const curious: InputGuardrail = {
        name: 'curious',
        judge: (_, { conversation }) => {
          seen.push(conversation.map(({ role }) => role).join(' '))
          return { verdict: 'pass' }
        },
      }
      const session = await open({ input: [curious] }, { script: [say('Hello.'), say('Bye.')] })
      await ask(session, 'Hi')
      await ask(session, 'And?', 'f2')
      expect(seen).toEqual(['', 'user assistant'])
    })

    it('have the model told what they rewrote, and let the next one judge that', async () => {
      const seen: string[] = []
      const second: InputGuardrail = {
        name: 'second',
        judge: (content) => {
          seen.push(textOf(content))
          return { verdict: 'pass' }
        },
      }
      const session = await open({ input: [noSecrets, second] }, { script: [say('Hello.')] })
      await ask(session, 'shout it')
      expect(seen).toEqual(['whisper it'])
      expect(told(1)).toEqual(['user: whisper it'])
      expect(verdicts(await settled(session))).toEqual(['input rewrite no-secrets'])
    })

    it('judge each input that opens the Turn, and keep those that pass beside a blocked one', async () => {
      const hold = gate()
      const session = await open(
        { input: [noSecrets] },
        { script: [holdBeforeFirstToken(hold, say('One.')), say('Two.')] },
      )
      await session.followup('Hi', { id: 'f1' })
      await world?.model.journal.waitFor(() => true)
      await session.followup(`And ${SECRET}`, { id: 'f2' })
      await session.followup('Bye', { id: 'f3' })
      hold.open()
      expect(await session.turn('f3').result({ timeoutMs: 30_000 })).toMatchObject({ reason: 'completed' })
      const log = await settled(session)
      const ends = log.filter((event): event is EventOf<'turn/end'> => event.type === 'turn/end')
      expect(ends.map(({ turnId, reason }) => `${turnId} ${reason}`)).toEqual([
        'f1 completed',
        'f2 blocked',
        'f3 completed',
      ])
    })

    it.each<[what: string, judge: InputGuardrail['judge']]>([
      [
        'throws',
        () => {
          throw new Error(`could not read ${SECRET}`)
        },
      ],
      ['takes too long', () => new Promise(() => undefined)],
      ['says something else', () => ({ verdict: 'perhaps' }) as never],
      ['says nothing', () => undefined as never],
    ])('block when one %s', async (_, judge) => {
      const session = await open({ input: [{ name: 'broken', timeoutMs: 50, judge }] })
      const result = await ask(session, `Hi ${SECRET}`)
      expect(result).toMatchObject({
        reason: 'blocked',
        handBack: { blockedBy: 'The guardrail broken does not allow your message: guardrail broken failed' },
      })
      expect(world?.model.journal.count).toBe(0)
      const judged = (await settled(session)).filter(({ type }) => type === 'guardrail/judged')
      expect(JSON.stringify(judged)).not.toContain(SECRET)
    })
  })

  describe('of steers', () => {
    async function steer(text: string): Promise<Session> {
      const hold = gate()
      const session = await open(
        { input: [noSecrets] },
        {
          tools: [
            defineTool({
              name: 'probe',
              description: 'Looks.',
              effect: 'read',
              input: { type: 'object' },
              run: () => 'seen',
            }),
          ],
          script: [holdBeforeFirstToken(hold, callTools({ tool: 'probe' })), say('Done.')],
        },
      )
      await session.followup('Hi', { id: 'f1' })
      await world?.model.journal.waitFor(() => true)
      await session.steer(text, { id: 's1' })
      hold.open()
      await session.turn('f1').result({ timeoutMs: 30_000 })
      return session
    }

    it('have the model told what they rewrote', async () => {
      const session = await steer('shout it')
      expect(told(2).at(-1)).toBe('user: whisper it')
      expect(verdicts(await settled(session))).toEqual(['input pass', 'input rewrite no-secrets'])
    })

    it('end the Turn blocked before the model is asked', async () => {
      const session = await steer(`psst, ${SECRET}`)
      expect(sequenceOf(await settled(session)).slice(-5)).toEqual([
        'step/start',
        'user/message',
        'guardrail/judged',
        'step/end',
        'turn/end',
      ])
      expect(await session.turn('s1').result()).toMatchObject({
        reason: 'blocked',
        handBack: { done: ['Ran probe.'] },
      })
      expect(world?.model.journal.count).toBe(1)
      expect(JSON.stringify(await session.messages())).not.toContain(SECRET)
    })
  })

  describe('of outputs', () => {
    it('let what they pass be said, with what it cost', async () => {
      const usage = { inputTokens: 11, outputTokens: 7 }
      const session = await open({ output: [polite] }, { script: [say('Hello.', { usage })] })
      expect(await ask(session, 'Hi')).toMatchObject({ reason: 'completed', text: 'Hello.', usage })
      expect(sequenceOf(await settled(session))).toEqual([
        'turn/start',
        'user/message',
        'step/start',
        'assistant/draft',
        'guardrail/judged',
        'assistant/message',
        'step/end',
        'turn/end',
      ])
    })

    it('show nothing before it is judged', async () => {
      const hold = gate()
      const judging = gate()
      const slow: OutputGuardrail = {
        name: 'slow',
        judge: async () => {
          judging.open()
          await hold.opened
          return { verdict: 'pass' }
        },
      }
      const session = await open({ output: [slow] }, { script: [say(['Hel', 'lo.'], { reasoning: 'hmm' })] })
      await session.followup('Hi', { id: 'f1' })
      await judging.opened
      const shown: string[] = []
      for await (const item of session.events({ live: true }))
        shown.push(item.kind === 'event' ? item.event.type : item.kind)
      expect(shown).toEqual(['turn/start', 'user/message', 'step/start', 'assistant/draft'])
      expect(await session.messages()).toEqual([{ role: 'user', content: 'Hi' }])
      hold.open()
      expect(await session.turn('f1').result({ timeoutMs: 30_000 })).toMatchObject({ text: 'Hello.' })
      await settled(session)
    })

    it('have everybody see what they rewrote, and nobody the original', async () => {
      const session = await open(
        { output: [polite] },
        { script: [say('Oh darn it.', { reasoning: 'Shall I say darn?' }), say('Bye.')] },
      )
      expect(await ask(session, 'Hi')).toMatchObject({ text: 'Oh dear it.' })
      await ask(session, 'And?', 'f2')
      expect(told(2)).toEqual(['user: Hi', 'assistant: Oh dear it.', 'user: And?'])
      expect(JSON.stringify(await settled(session))).not.toContain('darn')
    })

    it('block: what was said is nowhere, and what it cost is counted', async () => {
      const usage = { inputTokens: 11, outputTokens: 7 }
      const session = await open(
        { output: [polite] },
        { script: [say(`It is ${SECRET}.`, { usage }), say('Bye.')] },
      )
      expect(await ask(session, 'Hi')).toMatchObject({
        reason: 'blocked',
        text: '',
        usage,
        handBack: {
          blockedBy: "The guardrail polite does not allow the model's answer: It tells a secret.",
        },
      })
      const log = await settled(session)
      expect(sequenceOf(log)).toEqual([
        'turn/start',
        'user/message',
        'step/start',
        'assistant/draft',
        'guardrail/judged',
        'attempt/lost',
        'step/end',
        'turn/end',
      ])
      await ask(session, 'And?', 'f2')
      expect(JSON.stringify(await settled(session))).not.toContain(SECRET)
      expect(JSON.stringify(world?.model.journal.chats[1]?.body)).not.toContain(SECRET)
    })

    it('object: the model is asked once more and told why, not what it said', async () => {
      const session = await open(
        { output: [polite] },
        { script: [say('You are rude.'), say('You are kind.')] },
      )
      expect(await ask(session, 'Hi')).toMatchObject({ reason: 'completed', text: 'You are kind.', steps: 2 })
      expect(told(2)).toEqual([
        'user: Hi',
        'user: [Notice from the system: your last answer was withheld by a check, and nobody has seen it. Objection: Be polite. Answer again so that the objection does not hold.]',
      ])
      expect(verdicts(await settled(session))).toEqual(['output object polite', 'output pass'])
    })

    it('object so often and no more', async () => {
      const session = await open(
        { output: [polite], maxObjections: 1 },
        { script: [say('rude 1'), say('rude 2'), say('kind')] },
      )
      expect(await ask(session, 'Hi')).toMatchObject({
        reason: 'blocked',
        steps: 2,
        handBack: {
          blockedBy:
            "The guardrail polite does not allow the model's answer: Be polite. (objected to 2 times)",
        },
      })
      expect(verdicts(await settled(session))).toEqual(['output object polite', 'output block polite'])
      expect(world?.model.journal.count).toBe(2)
    })

    it('judge the text beside calls before the calls run', async () => {
      const runs: string[] = []
      const tools = [
        defineTool({
          name: 'probe',
          description: 'Looks.',
          effect: 'read',
          input: { type: 'object' },
          run: (_args, { callId }) => {
            runs.push(callId)
            return 'seen'
          },
        }),
      ]
      const session = await open(
        { output: [polite] },
        {
          tools,
          script: [
            { text: 'You rude one, let me look.', calls: [{ tool: 'probe' }] },
            { text: 'Darling, oh darn, let me look.', calls: [{ tool: 'probe' }] },
            callTools({ tool: 'probe', arguments: { again: true } }),
            say('Seen.'),
          ],
        },
      )
      expect(await ask(session, 'Hi')).toMatchObject({ reason: 'completed', text: 'Seen.', steps: 4 })
      expect(runs).toEqual(['c1_2_0', 'c1_3_0'])
      const log = await settled(session)
      expect(verdicts(log)).toEqual(['output object polite', 'output rewrite polite', 'output pass'])
      expect(JSON.stringify(log)).not.toContain('darn')
    })

    it('block when one fails', async () => {
      const broken: OutputGuardrail = {
        name: 'broken',
        judge: () => Promise.reject(new Error('no')),
      }
      const session = await open({ output: [broken] }, { script: [say('Hello.')] })
      expect(await ask(session, 'Hi')).toMatchObject({
        reason: 'blocked',
        handBack: {
          blockedBy: "The guardrail broken does not allow the model's answer: guardrail broken failed",
        },
      })
      await settled(session)
    })
  })
})
