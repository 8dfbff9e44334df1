import {
  readUIMessageStream,
  safeValidateUIMessages,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamItem } from '../../../../src/client/follow-events.ts'
import { UIMessageStream } from '../../../../src/gateway/protocols/ai-sdk/ui-message-stream.ts'
import { HAND_BACK_TEXT, RECORDED, type Recorded } from './recorded-items.ts'

function chunksOf(items: readonly StreamItem[], after = 0, given: readonly string[] = []) {
  const stream = new UIMessageStream({ inputId: 'u1' }, { after, given: new Set(given) })
  return items.flatMap((item) => stream.read(item))
}

/** As they come over the wire, judged by the schema of the SDK. */
async function received(chunks: readonly unknown[]): Promise<readonly UIMessageChunk[]> {
  const schema = uiMessageChunkSchema()
  return Promise.all(
    chunks.map(async (chunk) => {
      const judged = await schema.validate?.(JSON.parse(JSON.stringify(chunk)))
      if (judged?.success !== true) throw new Error(`Not a chunk: ${JSON.stringify(chunk)}`)
      return judged.value
    }),
  )
}

interface Read {
  readonly message: UIMessage | undefined
  readonly errors: readonly string[]
}

/** The message that the SDK makes of it, going on from an earlier one. */
async function read(chunks: readonly UIMessageChunk[], message?: UIMessage): Promise<Read> {
  const errors: string[] = []
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  let last = message
  const states = readUIMessageStream({
    stream,
    ...(message === undefined ? {} : { message }),
    onError: (error) => errors.push(error instanceof Error ? error.message : String(error)),
  })
  for await (const state of states) last = state
  return { message: last, errors }
}

/** What a page shows that leaves out void parts. */
function shown({ message }: Read): readonly string[] {
  const parts = message?.parts ?? []
  const voids = new Set(
    parts.flatMap((part) => (part.type === 'data-turnstep-void' && 'id' in part ? [part.id] : [])),
  )
  return parts.flatMap((part) => {
    if (part.type === 'text')
      return voids.has(String(part.providerMetadata?.['turnstep']?.['id'])) ? [] : [part.text]
    return 'toolCallId' in part ? [`${part.type}: ${part.state}`] : []
  })
}

const TABLE: readonly [Recorded, readonly string[], string | undefined][] = [
  ['LIVE', ['tool-calculator: output-available', 'It is four.'], 'stop'],
  ['AFTERWARDS', ['tool-calculator: output-available', 'It is four.'], 'stop'],
  ['JOINED', ['It is four.'], 'stop'],
  ['STARTED_OVER', ['It is four.'], 'stop'],
  ['ABORTED', ['It is '], 'other'],
  ['FAILED', [HAND_BACK_TEXT], undefined],
  [
    'BLOCKED',
    [
      '[This turn ended before it was finished.]\nDone: nothing yet.\nWhy: The guardrail guard does not allow your message: Not this.\nNext: Ask for something else.',
    ],
    'content-filter',
  ],
  ['APPROVAL_PENDING', ['I will send it.', 'tool-send: approval-requested'], 'tool-calls'],
  ['CLIENT_CALL', ['tool-read_page: input-available'], 'tool-calls'],
  [
    'HANDED_BACK',
    [
      'tool-calculator: output-error',
      'tool-no_such: output-error',
      'tool-send: output-error',
      HAND_BACK_TEXT,
    ],
    'other',
  ],
  ['HELD', ['It is four.'], 'stop'],
  ['STEERED', ['tool-calculator: output-available', 'Quatre.'], 'stop'],
]

describe('a UI message', () => {
  it.each(TABLE)('comes of %s', async (name, parts, finishReason) => {
    const chunks = await received(chunksOf(RECORDED[name]))
    const result = await read(chunks)
    expect(shown(result)).toEqual(parts)
    expect(result.message?.id).toBe('answer-u1')
    expect(chunks.find((chunk) => chunk.type === 'finish')?.finishReason).toBe(finishReason)
    expect((await safeValidateUIMessages({ messages: [result.message] })).success).toBe(true)
  })

  it('says why a Turn failed', async () => {
    expect((await read(await received(chunksOf(RECORDED.FAILED)))).errors).toEqual(['It was stopped.'])
  })

  it('says why a message was not taken', async () => {
    const { errors, message } = await read(await received(chunksOf(RECORDED.REFUSED)))
    expect(errors).toEqual(['The message was not taken: inbox-full.'])
    expect(message?.parts).toEqual([
      {
        type: 'data-turnstep-input',
        id: 'u1',
        data: { inputId: 'u1', fate: 'refused', reason: 'inbox-full' },
      },
    ])
  })
})

describe('the chunks of a Turn', () => {
  it('are these', () => {
    const metadata = { turnstep: { turnId: 'u1' } }
    expect(chunksOf(RECORDED.JOINED)).toEqual([
      { type: 'start', messageId: 'answer-u1', messageMetadata: metadata },
      { type: 'start-step' },
      { type: 'data-turnstep-status', transient: true, data: { phase: 'running', step: 1 } },
      { type: 'reasoning-start', id: 'r1_1', providerMetadata: { turnstep: { id: 'r1_1' } } },
      { type: 'reasoning-delta', id: 'r1_1', delta: 'Two and two.' },
      { type: 'reasoning-end', id: 'r1_1' },
      { type: 'text-start', id: 'm1_1', providerMetadata: { turnstep: { id: 'm1_1' } } },
      { type: 'text-delta', id: 'm1_1', delta: 'It is fo' },
      { type: 'text-delta', id: 'm1_1', delta: 'ur.' },
      { type: 'text-end', id: 'm1_1' },
      { type: 'finish-step' },
      {
        type: 'data-turnstep-end',
        id: 'u1',
        data: { turnId: 'u1', reason: 'completed', usage: { inputTokens: 30, outputTokens: 15 }, cost: null },
      },
      {
        type: 'finish',
        finishReason: 'stop',
        messageMetadata: { turnstep: { turnId: 'u1', after: 6, reason: 'completed' } },
      },
    ])
  })

  it('mark what an attempt said that started over', () => {
    expect(chunksOf(RECORDED.STARTED_OVER).slice(6, 12)).toEqual([
      { type: 'text-start', id: 'm1_1', providerMetadata: { turnstep: { id: 'm1_1' } } },
      { type: 'text-delta', id: 'm1_1', delta: 'It is fi' },
      { type: 'data-turnstep-void', id: 'r1_1', data: { channel: 'reasoning', id: 'r1_1' } },
      { type: 'text-end', id: 'm1_1', providerMetadata: { turnstep: { id: 'm1_1', void: true } } },
      { type: 'data-turnstep-void', id: 'm1_1', data: { channel: 'text', id: 'm1_1' } },
      { type: 'text-start', id: 'm1_1.1', providerMetadata: { turnstep: { id: 'm1_1.1' } } },
    ])
  })

  it('tell of the inputs that joined or were taken back', () => {
    const told = (name: Recorded) =>
      chunksOf(RECORDED[name]).filter(({ type }) => type === 'data-turnstep-input')
    expect(told('STEERED')).toEqual([
      { type: 'data-turnstep-input', id: 'u2', data: { inputId: 'u2', fate: 'claimed', via: 'steer' } },
    ])
    expect(told('ABORTED')).toEqual([
      { type: 'data-turnstep-input', id: 'u2', data: { inputId: 'u2', fate: 'withdrawn' } },
    ])
  })

  it('ask for a decision, and stop there', () => {
    expect(chunksOf(RECORDED.APPROVED).slice(-4)).toEqual([
      {
        type: 'tool-approval-request',
        approvalId: 'c1_1_0:digest',
        toolCallId: 'c1_1_0',
        approvalDescriptor: {
          risk: 'high',
          argumentsDigest: 'digest',
          expiresAt: '2025-01-02T00:00:00.000Z',
        },
      },
      { type: 'data-turnstep-status', transient: true, data: { phase: 'waiting_human' } },
      { type: 'finish-step' },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        messageMetadata: { turnstep: { turnId: 'u1', after: 5 } },
      },
    ])
  })

  it('say once more that a call is the page’s to run', () => {
    const given = chunksOf(RECORDED.CLIENT_CALL).filter(({ type }) => type === 'tool-input-available')
    expect(given).toEqual([
      {
        type: 'tool-input-available',
        toolCallId: 'c1_1_0',
        toolName: 'read_page',
        input: {},
        providerExecuted: true,
      },
      {
        type: 'tool-input-available',
        toolCallId: 'c1_1_0',
        toolName: 'read_page',
        input: {},
        providerExecuted: false,
        toolMetadata: { turnstep: { expiresAt: '2025-01-02T00:00:00.000Z' } },
      },
    ])
  })
})

describe('a message that was decided on', () => {
  it.each([
    ['APPROVED', ['I will send it.', 'tool-send: output-available', 'Sent.']],
    ['DENIED', ['I will send it.', 'tool-send: output-denied', 'I did not send it.']],
  ] as const)('goes on after what the page has: %s', async (name, parts) => {
    const before = await read(await received(chunksOf(RECORDED[name])))
    const after = await received(chunksOf(RECORDED[name], 5))
    expect(after.slice(0, 2).map(({ type }) => type)).toEqual(['start', 'data-turnstep-decision'])
    expect(shown(await read(after, before.message))).toEqual(parts)
  })

  it('stops again where another call still waits', async () => {
    const first = await read(await received(chunksOf(RECORDED.TWO_ASKED)))
    expect(shown(first)).toEqual(['tool-send: approval-requested', 'tool-send: approval-requested'])
    const second = await read(await received(chunksOf(RECORDED.TWO_ASKED, 6)), first.message)
    expect(shown(second)).toEqual(['tool-send: output-available', 'tool-send: approval-requested'])
    const third = await read(await received(chunksOf(RECORDED.TWO_ASKED, 9)), second.message)
    expect(shown(third)).toEqual(['tool-send: output-available', 'tool-send: output-denied', 'One was sent.'])
  })

  it('does not stop for what the page has given with the same request', async () => {
    const first = await read(await received(chunksOf(RECORDED.TWO_ASKED)))
    const rest = chunksOf(RECORDED.TWO_ASKED, 6, ['c1_1_0', 'c1_1_1'])
    expect(shown(await read(await received(rest), first.message))).toEqual([
      'tool-send: output-available',
      'tool-send: output-denied',
      'One was sent.',
    ])
  })

  it('has nothing to add when the page has all of it', () => {
    expect(chunksOf(RECORDED.LIVE, 99).map(({ type }) => type)).toEqual(['start', 'finish'])
  })
})

describe('any cut of the items', () => {
  it('leaves a message that the SDK reads without complaint', async () => {
    const names = Object.keys(RECORDED).filter(
      (name) => name !== 'FAILED' && name !== 'REFUSED',
    ) as Recorded[]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.nat(30), async (name, end) => {
        const whole = chunksOf(RECORDED[name])
        const cut = chunksOf(RECORDED[name].slice(0, end))
        expect(whole.slice(0, cut.length)).toEqual(cut)
        expect((await read(await received(cut))).errors).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
