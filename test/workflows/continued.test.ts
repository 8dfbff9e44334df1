import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Session } from '../../src/client/index.ts'
import { callTools, say } from '../../src/testing/scripted-answer.ts'
import { defineTool } from '../../src/tools/index.ts'
import { receiptsIn, sharedWorld } from '../support/conversations.ts'
import { eventually } from '../support/eventually.ts'

const LONG = { timeoutMs: 100_000 }

describe('a Turn that goes on in another run', () => {
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    input: z.object({ n: z.number() }),
    run: () => 'acted',
  })
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({}),
    risk: 'high',
    run: () => 'sent',
  })
  const shared = sharedWorld({ tools: [act, send], limits: { maxSteps: 101 } })

  const actOn = (n: number) => ({ tool: 'act', arguments: { n } })
  const steps = (count: number) => Array.from({ length: count }, (_, n) => callTools(actOn(n)))

  it('writes the receipts that its last Step had decided', async () => {
    const conversation = shared.open(...steps(99), callTools(actOn(98), actOn(99)), say('Done.'))
    await conversation.begin()
    await conversation.session.turn('f1').result(LONG)
    expect((await conversation.receipts()).slice(-2)).toEqual(['c1_100_1 ok', 'c1_100_0 repeated'])
    expect(receiptsIn(conversation.requests.at(-1)).at(-2)).toMatch(/^Not run: this is the same call/)
  }, 120_000)

  it('makes the new plan that a human asked for in its last Step', async () => {
    const conversation = shared.open(...steps(99), callTools({ tool: 'send', arguments: {} }), say('Anew.'))
    const { session } = conversation
    await conversation.begin()
    await eventually(() => isAsked(session), 100_000)
    await session.decide('c1_100_0', { decision: 'replan', note: 'Ask me first.' })
    await session.turn('f1').result(LONG)
    expect((await conversation.log()).filter(({ type }) => type === 'context/replanned')).toHaveLength(1)
    const { messages = [] } = conversation.requests.at(-1) ?? {}
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
  }, 120_000)
})

async function isAsked(session: Session): Promise<boolean> {
  return (await session.approvals()).length === 1
}
