import type { Client } from '@temporalio/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Session, Turnstep } from '../../src/client/index.ts'
import type { NewEvent } from '../../src/core/event.ts'
import type { SessionStore } from '../../src/core/ports.ts'
import { Tails } from '../../src/gateway/streams/tails.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What happens to a session while readers come and go. Numbers choose among what is there. */
type Action =
  | { readonly kind: 'event' }
  | { readonly kind: 'text' }
  | { readonly kind: 'join'; readonly after: number }
  | { readonly kind: 'leave'; readonly reader: number }

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Action>({ kind: 'event' }) },
  { weight: 4, arbitrary: fc.constant<Action>({ kind: 'text' }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('join' as const), after: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), reader: fc.nat() }) },
)

/** The nth event of a log of turns of one step each, from 0. */
function nthEvent(n: number): NewEvent {
  const turn = Math.floor(n / 6) + 1
  const turnId = `f${turn}`
  const at = { turnId, turn }
  const step = { ...at, step: 1 }
  const usage = { inputTokens: 1, outputTokens: 1 }
  const events: readonly NewEvent[] = [
    {
      ...at,
      type: 'turn/start',
      inputs: [turnId],
      agent: 'a',
      agentDigest: 'd',
      runId: 'r',
      firstExecutionRunId: 'r',
      key: `turn:${turnId}:start`,
    },
    {
      ...at,
      type: 'user/message',
      inputId: turnId,
      content: 'Go.',
      via: 'followup',
      origin: 'user',
      key: `input:${turnId}`,
    },
    { ...step, type: 'step/start', key: `turn:${turnId}:step:1:start` },
    {
      ...step,
      type: 'assistant/message',
      text: 'Done.',
      calls: [],
      finish: 'stop',
      usage,
      model: 'm',
      key: `turn:${turnId}:step:1:message`,
    },
    { ...step, type: 'step/end', key: `turn:${turnId}:step:1:end` },
    {
      ...at,
      type: 'turn/end',
      reason: 'completed',
      inputs: [{ id: turnId, fate: 'claimed' }],
      usage,
      cost: null,
      key: `turn:${turnId}:end`,
    },
  ]
  return events[n % 6] as NewEvent
}

/** A reader that writes down what it is given, until it leaves. */
class Reader {
  readonly seqs: number[] = []
  /** Positions of live text, in order, with the seq of the last event before each. */
  readonly texts: { readonly step: string; readonly index: number; readonly afterSeq: number }[] = []
  readonly after: number
  readonly #stop = new AbortController()
  readonly ended: Promise<void>

  constructor(tails: Tails, session: Session, after: number) {
    this.after = after
    this.ended = this.#read(tails, session)
  }

  get last(): number {
    return this.seqs.at(-1) ?? this.after
  }

  async leave(): Promise<void> {
    this.#stop.abort()
    await this.ended
  }

  async #read(tails: Tails, session: Session): Promise<void> {
    const { signal } = this.#stop
    const onOverflow = (): void => expect.unreachable('No reader here is slow.')
    for await (const items of tails.follow(session, {
      tenant: 'default',
      after: this.after,
      signal,
      onOverflow,
    }))
      for (const item of items) {
        if (item.kind === 'event') this.seqs.push(item.event.seq)
        if (item.kind === 'delta') {
          const { turnId, step, index } = item.delta
          this.texts.push({ step: `${turnId}:${step}`, index, afterSeq: this.last })
        }
      }
  }
}

/** Lets a log grow, text stream and readers come and go; resolves with all readers once each has everything. */
async function play(store: SessionStore, actions: readonly Action[]): Promise<readonly Reader[]> {
  const client = new Turnstep({ temporal: {} as Client, store })
  const session = await client.createSession(crypto.randomUUID())
  const key = { tenant: 'default', session: session.id }
  const tails = new Tails(1024 * 1024)
  const present: Reader[] = []
  const gone: Reader[] = []
  let seq = 0
  let index = 0
  for (const one of [...actions, ...Array.from({ length: 6 }, (): Action => ({ kind: 'event' }))]) {
    switch (one.kind) {
      case 'event': {
        const append = [nthEvent(seq)]
        await store.commit(key, { keys: [], decide: () => ({ append, answer: undefined }) })
        seq += 1
        index = 0
        break
      }
      case 'text':
        // Text is written while its step has no message yet.
        if (seq % 6 !== 3) break
        await store.appendLive(key, [
          { turnId: `f${Math.floor(seq / 6) + 1}`, step: 1, attempt: 1, index, text: 'x' },
        ])
        index += 1
        break
      case 'join':
        present.push(new Reader(tails, session, one.after % (seq + 1)))
        break
      case 'leave': {
        const [left] = present.splice(one.reader % Math.max(present.length, 1), 1)
        if (left === undefined) break
        await left.leave()
        gone.push(left)
        // It comes again with the last that it has.
        present.push(new Reader(tails, session, left.last))
        break
      }
    }
  }
  await eventually(async () => present.every((reader) => reader.last === seq))
  await Promise.all(present.map((reader) => reader.leave()))
  expect(tails.readers).toBe(0)
  return [...gone, ...present]
}

describe('readers that come and go while a log grows and text streams', () => {
  it('have each event once and in order, and text without gaps from its beginning', async () => {
    const store = await openSqliteStore({ path: `${await temporaryFolder()}/log.db` })
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 60 }), async (actions) => {
          for (const { after, seqs, texts } of await play(store, actions)) {
            expect(seqs).toEqual(seqs.map((_, at) => after + 1 + at))
            for (const step of new Set(texts.map((text) => text.step))) {
              const ofStep = texts.filter((text) => text.step === step)
              expect(ofStep.map(({ index }) => index)).toEqual(ofStep.map((_, at) => at))
              // After the start of its step, and before its message.
              for (const { afterSeq } of ofStep) expect(afterSeq % 6).toBe(3)
            }
          }
        }),
        { numRuns: 40 },
      )
    } finally {
      await store.close()
    }
  })
})
