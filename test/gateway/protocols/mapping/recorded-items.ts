/** What followers of a Session are given, one list for each way that a Turn can go. */
import type { StreamItem } from '../../../../src/client/follow-events.ts'
import type { NewEvent } from '../../../../src/core/event.ts'
import { SAMPLE_HAND_BACK, sampleTurn, seal } from '../../../core/sample-log.ts'

const t = sampleTurn('u1')

/** Pieces of live text of Turn `u1`, numbered within their attempt. */
function says(step: number, attempt: number, pieces: readonly ({ text: string } | { reasoning: string })[]) {
  return pieces.map((piece, index): StreamItem => {
    return { kind: 'delta', delta: { turnId: 'u1', step, attempt, index, ...piece } }
  })
}

const reset = (step: number, attempt: number): StreamItem => ({ kind: 'reset', turnId: 'u1', step, attempt })

/** Numbers the events; what is no event stays where it is. */
function items(...parts: readonly (NewEvent | StreamItem | readonly StreamItem[])[]): readonly StreamItem[] {
  let seq = 0
  return parts.flat().map((part): StreamItem => {
    if ('kind' in part && (part.kind === 'delta' || part.kind === 'reset' || part.kind === 'event'))
      return part
    seq += 1
    const [event] = seal([part as NewEvent])
    return { kind: 'event', event: { ...event, seq } as Extract<StreamItem, { kind: 'event' }>['event'] }
  })
}

const ANSWER = [
  { reasoning: 'Two and ' },
  { reasoning: 'two.' },
  { text: 'It is ' },
  { text: 'four.' },
] as const
const THOUGHT = { reasoning: { field: 'reasoning_content', text: 'Two and two.' } }
const USAGE = { usage: { inputTokens: 30, outputTokens: 15 } }

/** One tool, then an answer that streams. */
const LIVE = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.asks(1, ['calculator']),
  t.claims(1, 0, 'calculator'),
  t.answers(1, 0),
  t.stepEnd(1),
  t.stepStart(2),
  says(2, 1, ANSWER),
  t.says(2, 'It is four.', THOUGHT),
  t.stepEnd(2),
  t.end('completed', USAGE),
)

/** The same, read when it was over. */
const AFTERWARDS = LIVE.filter((item) => item.kind === 'event')

/** Joined while the answer streams: what was shown so far comes in one piece. */
const JOINED = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  says(1, 1, [{ reasoning: 'Two and two.' }, { text: 'It is fo' }]),
  says(1, 1, [{ text: 'ur.' }]),
  t.says(1, 'It is four.', THOUGHT),
  t.stepEnd(1),
  t.end('completed', USAGE),
)

/** The first attempt breaks off, the second says something else. */
const STARTED_OVER = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  says(1, 1, [{ reasoning: 'Hm.' }, { text: 'It is fi' }]),
  t.lost(1, 1),
  reset(1, 2),
  says(1, 2, [{ text: 'It is four.' }]),
  t.says(1, 'It is four.'),
  t.stepEnd(1),
  t.end('completed', USAGE),
)

/** Stopped while it speaks; a queued message is taken back with it. */
const ABORTED = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  says(1, 1, [{ text: 'It is ' }]),
  t.says(1, 'It is ', { interrupted: true, finish: 'none' }),
  t.stepEnd(1),
  { type: 'input/withdrawn', turnId: null, turn: null, key: 'input:u2', inputId: 'u2', content: 'and three' },
  t.end('aborted', {
    inputs: [
      { id: 'u1', fate: 'claimed' },
      { id: 'u2', fate: 'withdrawn' },
    ],
    ...USAGE,
  }),
)

/** The provider fails after a piece that was not kept. */
const FAILED = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  says(1, 1, [{ text: 'It' }]),
  t.lost(1, 1),
  t.stepEnd(1),
  t.end('error', USAGE),
)

/** A guardrail does not allow the message. */
const BLOCKED = items(
  t.start(),
  t.followup('u1', { judged: 'pending' }),
  t.judgesInput('u1', 'block'),
  t.end('blocked', {
    handBack: {
      done: [],
      blockedBy: 'The guardrail guard does not allow your message: Not this.',
      next: 'Ask for something else.',
    },
  }),
)

const ASKING = [
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.asks(1, ['send'], { text: 'I will send it.' }),
  t.requests(1, 0, 'send', { arguments: '{"to":"Ann"}' }),
] as const

/** A call waits for a human. */
const APPROVAL_PENDING = items(...ASKING)

const APPROVED = items(
  ...ASKING,
  t.decides(1, 0, 'approve'),
  t.claims(1, 0, 'send', { risk: 'high' }),
  t.answers(1, 0, 'ok', { content: 'sent' }),
  t.stepEnd(1),
  t.stepStart(2),
  t.says(2, 'Sent.'),
  t.stepEnd(2),
  t.end('completed', USAGE),
)

const DENIED = items(
  ...ASKING,
  t.decides(1, 0, 'deny', { note: 'Not now.' }),
  t.answers(1, 0, 'denied', {
    content: 'Denied: this call was not approved. It was not run. Note: Not now.',
  }),
  t.stepEnd(1),
  t.stepStart(2),
  t.says(2, 'I did not send it.'),
  t.stepEnd(2),
  t.end('completed', USAGE),
)

/** Two calls wait; one is approved before the other is denied. */
const TWO_ASKED = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.asks(1, ['send', 'send'], {
    calls: [
      { callId: 'c1_1_0', tool: 'send', arguments: '{"to":"Ann"}' },
      { callId: 'c1_1_1', tool: 'send', arguments: '{"to":"b"}' },
    ],
  }),
  t.requests(1, 0, 'send'),
  t.requests(1, 1, 'send'),
  t.decides(1, 0, 'approve'),
  t.claims(1, 0, 'send'),
  t.answers(1, 0, 'ok', { content: 'sent' }),
  t.decides(1, 1, 'deny'),
  t.answers(1, 1, 'denied', { content: 'Denied.' }),
  t.stepEnd(1),
  t.stepStart(2),
  t.says(2, 'One was sent.'),
  t.stepEnd(2),
  t.end('completed', USAGE),
)

/** A call that whoever talks to the agent is to run. */
const CLIENT_CALL = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.asks(1, ['read_page']),
  t.claims(1, 0, 'read_page', { expiresAt: '2025-01-02T00:00:00.000Z' }),
)

const CLIENT_ANSWERED = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.asks(1, ['read_page']),
  t.claims(1, 0, 'read_page', { expiresAt: '2025-01-02T00:00:00.000Z' }),
  t.answers(1, 0, 'ok', { content: 'A page.' }),
  t.stepEnd(1),
  t.stepStart(2),
  t.says(2, 'I see.'),
  t.stepEnd(2),
  t.end('completed', USAGE),
)

/** A guardrail holds the answer; a human lets it pass. */
const HELD = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.drafts(1),
  t.holds(1, { guardrail: 'tone', reason: 'It is rude.', digest: 'text-digest' }),
  t.judgesOutput(1, 'pass', { by: 'ann' }),
  t.says(1, 'It is four.'),
  t.stepEnd(1),
  t.end('completed', USAGE),
)

/** Calls that cannot run, a failure, and a budget that is spent. */
const HANDED_BACK = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.asks(1, ['calculator', 'no_such', 'send']),
  t.answers(1, 1, 'unknown-tool', { content: 'There is no tool no_such.' }),
  t.claims(1, 0, 'calculator'),
  t.answers(1, 0, 'failed', { content: 'Division by zero.' }),
  t.answers(1, 2, 'repeated', { content: 'Not run.' }),
  t.stepEnd(1),
  t.end('max-steps', USAGE),
)

/** A steer joins at the second Step. */
const STEERED = items(
  t.start(),
  t.followup(),
  t.stepStart(1),
  t.asks(1, ['calculator']),
  t.claims(1, 0, 'calculator'),
  t.answers(1, 0),
  t.stepEnd(1),
  t.stepStart(2),
  t.steer('u2', 2, { content: 'in French' }),
  t.says(2, 'Quatre.'),
  t.stepEnd(2),
  t.end('completed', USAGE),
)

/** The message never opened a Turn. */
const REFUSED = items({
  type: 'input/refused',
  turnId: null,
  turn: null,
  key: 'input:u1',
  inputId: 'u1',
  reason: 'inbox-full',
})

export const RECORDED = {
  LIVE,
  AFTERWARDS,
  JOINED,
  STARTED_OVER,
  ABORTED,
  FAILED,
  BLOCKED,
  APPROVAL_PENDING,
  APPROVED,
  DENIED,
  TWO_ASKED,
  CLIENT_CALL,
  CLIENT_ANSWERED,
  HELD,
  HANDED_BACK,
  STEERED,
  REFUSED,
} as const

export type Recorded = keyof typeof RECORDED

export const HAND_BACK_TEXT = [
  '[This turn ended before it was finished.]',
  'Done:',
  `- ${SAMPLE_HAND_BACK.done[0]}`,
  `Why: ${SAMPLE_HAND_BACK.blockedBy}`,
  `Next: ${SAMPLE_HAND_BACK.next}`,
].join('\n')
