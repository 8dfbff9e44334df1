/**
 * The fence: what belongs to a Turn or Step is appended only while they are open.
 */
import type { NewEvent } from '../../core/event.ts'
import type { Refusal } from '../../core/log-head.ts'
import {
  assistantMessage,
  inputRefused,
  stepEnd,
  stepStart,
  toolCall,
  toolResult,
  turnEnd,
  turnStart,
  userMessage,
} from './sample-events.ts'
import { append, beginAttempt, SESSION, type Suite } from './store-under-test.ts'

interface RefusalCase {
  readonly what: string
  readonly log: readonly NewEvent[]
  readonly event: NewEvent
  readonly refusal: Refusal
}

const OPEN_STEP = [turnStart(), userMessage('t1'), stepStart()]
const CLOSED_STEP = [...OPEN_STEP, assistantMessage('done'), stepEnd()]
const CLOSED_TURN = [...CLOSED_STEP, turnEnd()]

const REFUSALS: readonly RefusalCase[] = [
  {
    what: 'a Turn beside an open one',
    log: OPEN_STEP,
    event: turnStart({ turnId: 't2', turn: 2 }),
    refusal: 'turn-open',
  },
  { what: 'a message in a log without a Turn', log: [], event: userMessage('t1'), refusal: 'turn-closed' },
  {
    what: 'a message for a Turn that is over',
    log: CLOSED_TURN,
    event: userMessage('late'),
    refusal: 'turn-closed',
  },
  {
    what: 'an opening message once a Step has begun',
    log: OPEN_STEP,
    event: userMessage('late'),
    refusal: 'step-closed',
  },
  {
    what: 'a Step of a Turn that is over',
    log: CLOSED_TURN,
    event: stepStart({ step: 2 }),
    refusal: 'turn-closed',
  },
  {
    what: 'a Step of another Turn',
    log: CLOSED_STEP,
    event: stepStart({ turnId: 't2' }),
    refusal: 'turn-closed',
  },
  {
    what: 'a Step beside an open one',
    log: OPEN_STEP,
    event: stepStart({ step: 2 }),
    refusal: 'step-closed',
  },
  { what: 'a Step out of order', log: CLOSED_STEP, event: stepStart({ step: 3 }), refusal: 'step-closed' },
  {
    what: 'a message of a closed Step',
    log: CLOSED_STEP,
    event: toolResult(0, 'late'),
    refusal: 'step-closed',
  },
  { what: 'a call of another Step', log: OPEN_STEP, event: toolCall(0, { step: 2 }), refusal: 'step-closed' },
  {
    what: 'a receipt of a Turn that is over',
    log: CLOSED_TURN,
    event: toolResult(0, 'late'),
    refusal: 'turn-closed',
  },
  { what: 'the end of a Turn whose Step is open', log: OPEN_STEP, event: turnEnd(), refusal: 'turn-closed' },
]

export function describeFence({ describe, it, expect, under }: Suite): void {
  describe('the fence', () => {
    for (const { what, log, event, refusal } of REFUSALS) {
      it(`refuses ${what}`, async () => {
        const { store } = under()
        await append(store, log)
        const head = await store.head(SESSION)
        expect(await append(store, [event])).toEqual({ kind: 'refused', refusal, head })
        expect((await store.read(SESSION)).length).toBe(log.length)
      })
    }

    it('writes nothing of a commit of which it refuses one event', async () => {
      const { store, other } = under()
      const result = await append(store, [turnStart(), userMessage('t1'), stepStart({ step: 2 })])
      expect(result).toEqual({ kind: 'refused', refusal: 'step-closed', head: { seq: 0, turns: 0 } })
      expect(await other.read(SESSION)).toEqual([])
      expect(await other.session(SESSION)).toBe(undefined)
    })

    it('does not begin the attempt of a commit that it refuses', async () => {
      const { store } = under()
      await store.commit(SESSION, {
        keys: [],
        beginAttempt: 'unit',
        decide: () => ({ append: [stepStart()], answer: undefined }),
      })
      expect(await beginAttempt(store, 'unit')).toEqual({ number: 1, provider: 0, tool: 0, lost: 0 })
    })

    it('lets a whole Turn through in one commit', async () => {
      const { store } = under()
      const result = await append(store, CLOSED_TURN)
      expect(result.kind === 'committed' && result.head).toEqual({
        seq: 6,
        turns: 1,
        memory: { tokens: 5 },
      })
    })

    it('lets the fates of inputs and a late lost attempt through when no Turn is open', async () => {
      const { store } = under()
      await append(store, CLOSED_TURN)
      const result = await append(store, [
        inputRefused('a'),
        {
          type: 'input/withdrawn',
          key: 'input:b',
          turnId: null,
          turn: null,
          inputId: 'b',
          content: 'never mind',
        },
        {
          type: 'attempt/lost',
          key: 'turn:t1:step:1:attempt:1:lost',
          turnId: 't1',
          turn: 1,
          step: 1,
          attempt: 1,
          cause: 'superseded',
          usage: { inputTokens: 5, outputTokens: 0, estimated: true },
        },
      ])
      expect(result.kind === 'committed' && result.head).toEqual({ seq: 9, turns: 1, memory: { tokens: 10 } })
    })

    it('does not stop an event that is in the log already', async () => {
      const { store } = under()
      await append(store, CLOSED_TURN)
      const result = await append(store, [stepStart(), turnStart()])
      expect(result.kind === 'committed' && [result.appended, result.events.map(({ seq }) => seq)]).toEqual([
        0,
        [3, 1],
      ])
    })
  })
}
