import { describe, expect, it } from 'vitest'
import { callTools, say, serverError } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { type Conversation, sharedWorld } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'

const runs: string[] = []

const cases = sharedWorld({
  tools: [
    defineTool({
      name: 'send',
      description: 'Sends.',
      input: { type: 'object' },
      risk: 'high',
      run: (_args, { session }) => {
        runs.push(session.session)
        return 'sent'
      },
    }),
  ],
})

const SEND = callTools({ tool: 'send', arguments: { to: 'a' } })
const runsOf = ({ session }: Conversation): number => runs.filter((one) => one === session.id).length
const waiting = ({ session }: Conversation): Promise<void> =>
  eventually(async () => (await session.approvals()).length === 1)

describe.concurrent('approvals', () => {
  it.each(['yes', 'approve', 'ok, go ahead', 'c1_1_0'])(
    'B22: the message %j approves nothing, and joins the next Step',
    async (text) => {
      const talk = cases.open(SEND, say('Then not.'))
      await talk.begin()
      await waiting(talk)
      await talk.session.steer(text, { id: 's1' })
      await talk.session.followup(text, { id: 'f2' })
      await eventually(async () => ((await talk.session.status()).pending ?? []).length === 2)
      expect(await talk.session.approvals()).toHaveLength(1)
      talk.enqueue(say('Anything else?'))
      await talk.session.decide('c1_1_0', { decision: 'deny' })
      expect(await talk.result('f1')).toMatchObject({ reason: 'completed', steps: 2 })
      expect(await talk.result('f2')).toMatchObject({ reason: 'completed' })
      expect(runsOf(talk)).toBe(0)
    },
  )

  it('B24: the same approval many times at once runs the call once', async () => {
    const talk = cases.open(SEND, say('Done.'))
    await talk.begin()
    await waiting(talk)
    const { session } = talk
    const decisions = Array.from({ length: 20 }, () => session.decide('c1_1_0', { decision: 'approve' }))
    const settled = await Promise.allSettled(decisions)
    expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed' })
    expect(runsOf(talk)).toBe(1)
    expect(await talk.receipts()).toEqual(['c1_1_0 ok'])
  })

  it('B24: of an approval and a denial at once one counts, and the other is told', async () => {
    const talk = cases.open(SEND, say('Done.'))
    await talk.begin()
    await waiting(talk)
    const { session } = talk
    const [approved, denied] = await Promise.allSettled([
      session.decide('c1_1_0', { decision: 'approve' }),
      session.decide('c1_1_0', { decision: 'deny' }),
    ])
    expect([approved?.status, denied?.status].sort()).toEqual(['fulfilled', 'rejected'])
    await talk.result('f1')
    expect(runsOf(talk)).toBe(approved?.status === 'fulfilled' ? 1 : 0)
    expect(await talk.receipts()).toEqual([approved?.status === 'fulfilled' ? 'c1_1_0 ok' : 'c1_1_0 denied'])
  })

  it('B26: what was approved and ran is neither asked for nor run again when the next model call fails', async () => {
    const talk = cases.open(SEND, serverError(), serverError(), say('Done.'))
    await talk.begin()
    await waiting(talk)
    await talk.session.decide('c1_1_0', { decision: 'approve' })
    expect(await talk.result('f1')).toMatchObject({ reason: 'completed', text: 'Done.' })
    expect(runsOf(talk)).toBe(1)
    const log = await talk.log()
    expect(log.filter(({ type }) => type === 'approval/requested')).toHaveLength(1)
  })
})
