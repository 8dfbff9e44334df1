import { HttpAgent } from '@ag-ui/client'
import { readUIMessageStream, type UIMessageChunk } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamItem } from '../../../../src/client/follow-events.ts'
import { AgentRun } from '../../../../src/gateway/protocols/ag-ui/agent-run.ts'
import { UIMessageStream } from '../../../../src/gateway/protocols/ai-sdk/ui-message-stream.ts'
import { SpokenTurn } from '../../../../src/gateway/protocols/openai/spoken-turn.ts'
import { arbitraryOpenTurn } from '../../../core/arbitrary-log.ts'
import { sampleTurn, seal } from '../../../core/sample-log.ts'

const { end } = sampleTurn('u1')

/** Attempts at a Step's message before the one that is committed: pieces of text, or of reasoning. */
const arbitraryAttempts = fc.array(
  fc.array(fc.record({ isText: fc.boolean(), piece: fc.string({ minLength: 1, maxLength: 5 }) }), {
    maxLength: 4,
  }),
  { maxLength: 2 },
)

interface Live {
  readonly attempts: readonly (readonly { readonly isText: boolean; readonly piece: string }[])[]
  /** How much of the committed text was seen as it came. */
  readonly seen: number
}

/** A Turn as a follower sees it, with whatever live text there was. */
const arbitraryItems: fc.Arbitrary<readonly StreamItem[]> = fc
  .record({
    turn: arbitraryOpenTurn('u1'),
    lives: fc.array(fc.record({ attempts: arbitraryAttempts, seen: fc.nat(12) }), { maxLength: 5 }),
  })
  .map(({ turn, lives }) => {
    const steps = turn.findLast(({ type }) => type === 'step/start')
    const step = steps?.type === 'step/start' ? steps.step : 1
    const events = seal([...turn, sampleTurn('u1').stepEnd(step), end('completed')])
    return events.flatMap((event): readonly StreamItem[] => {
      const item: StreamItem = { kind: 'event', event }
      if (event.type !== 'assistant/message') return [item]
      return [...liveItems(event.step, event.text, lives[event.step - 1]), item]
    })
  })

function liveItems(step: number, text: string, live: Live | undefined): readonly StreamItem[] {
  if (live === undefined) return []
  const attempts = [...live.attempts, [{ isText: true, piece: text.slice(0, live.seen) }]]
  return attempts.flatMap((pieces, number): readonly StreamItem[] => [
    ...(number === 0 ? [] : [{ kind: 'reset' as const, turnId: 'u1', step, attempt: number + 1 }]),
    ...pieces.map(({ isText, piece }, index): StreamItem => {
      const said = isText ? { text: piece } : { reasoning: piece }
      return { kind: 'delta', delta: { turnId: 'u1', step, attempt: number + 1, index, ...said } }
    }),
  ])
}

function textsOf(items: readonly StreamItem[]): readonly string[] {
  return items.flatMap((item) =>
    item.kind === 'event' && item.event.type === 'assistant/message' && item.event.text !== ''
      ? [item.event.text]
      : [],
  )
}

describe('whatever a Turn was and whatever was seen of it as it came', () => {
  it('what is said in the end is what the log has', () => {
    fc.assert(
      fc.property(arbitraryItems, (items) => {
        const turn = new SpokenTurn({ inputId: 'u1' })
        for (const item of items) turn.read(item)
        expect(turn.spoken.filter(({ channel }) => channel === 'text').map(({ text }) => text)).toEqual(
          textsOf(items),
        )
      }),
    )
  })

  it('a page of the AI SDK has it, void parts aside', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryItems, async (items) => {
        const stream = new UIMessageStream({ inputId: 'u1' })
        const chunks = items.flatMap((item) => stream.read(item)) as unknown as UIMessageChunk[]
        expect(await pageOf(chunks)).toEqual(textsOf(items))
      }),
      { numRuns: 60 },
    )
  })

  it('a thread of AG-UI has it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryItems, async (items) => {
        const run = new AgentRun({ threadId: 's', runId: 'r', messages: [], choice: { inputId: 'u1' } })
        const events = [...run.start(), ...items.flatMap((item) => run.read(item))]
        expect(events.at(-1)?.type).toBe('RUN_FINISHED')
        expect(await threadOf(events)).toEqual(textsOf(items))
      }),
      { numRuns: 60 },
    )
  })
})

async function pageOf(chunks: readonly UIMessageChunk[]): Promise<readonly string[]> {
  let parts: readonly { readonly type: string }[] = []
  const stream = ReadableStream.from(chunks)
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) parts = message.parts
  const voids = new Set(
    parts.flatMap((part) => ('id' in part && part.type === 'data-turnstep-void' ? [part.id] : [])),
  )
  return parts.flatMap((part) => {
    if (part.type !== 'text' || !('text' in part) || typeof part.text !== 'string') return []
    const metadata =
      'providerMetadata' in part ? (part.providerMetadata as { turnstep?: { id?: string } }) : {}
    return voids.has(metadata.turnstep?.id) ? [] : [part.text]
  })
}

async function threadOf(events: readonly object[]): Promise<readonly string[]> {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const agent = new HttpAgent({
    url: 'http://agent.test',
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  })
  await agent.runAgent()
  return agent.messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' && content !== '' ? [content] : [],
  )
}
