import { beforeEach, describe, expect, it } from 'vitest'
import type { Outlet } from '../../../src/cli/output/outlet.ts'
import { TurnPrinter } from '../../../src/cli/output/turn-printer.ts'
import type { StreamItem } from '../../../src/client/index.ts'
import type { Event, EventBody } from '../../../src/core/event.ts'

let printed: string
let printer: TurnPrinter

/** What is said as it is, notes in brackets. */
const outlet: Outlet = {
  say: (text) => {
    printed += text
  },
  endLine: () => {
    if (printed !== '' && !printed.endsWith('\n')) printed += '\n'
  },
  note: (line) => {
    printed += `[${line}]\n`
  },
}

const STEP = { turnId: 't', turn: 1, step: 1 } as const
const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

function event(body: EventBody): StreamItem {
  return { kind: 'event', event: { ...body, seq: 1, at: '', v: 1, key: 'k' } as Event }
}

function delta(text: string, attempt = 1): StreamItem {
  return { kind: 'delta', delta: { turnId: 't', step: 1, attempt, index: 0, text } }
}

function message(
  text: string,
  calls: readonly { callId: string; tool: string; arguments: string }[] = [],
): StreamItem {
  return event({
    type: 'assistant/message',
    ...STEP,
    text,
    calls,
    finish: 'stop',
    usage: NO_USAGE,
    model: 'm',
  })
}

const RESET: StreamItem = { kind: 'reset', turnId: 't', step: 1, attempt: 2 }

function show(...items: readonly StreamItem[]): string {
  for (const item of items) printer.show(item)
  return printed
}

beforeEach(() => {
  printed = ''
  printer = new TurnPrinter({ outlet, isOwnInput: (id) => id === 'mine' })
})

describe('TurnPrinter', () => {
  it('shows a streamed message once', () => {
    expect(show(delta('Hel'), delta('lo.'), message('Hello.'))).toBe('Hello.\n')
  })

  it('adds what was not streamed', () => {
    expect(show(delta('Hel'), message('Hello.'))).toBe('Hello.\n')
    expect(show(message('Again.'))).toBe('Hello.\nAgain.\n')
  })

  it('goes on where a lost attempt ended when the next one says the same', () => {
    expect(show(delta('Hello'), RESET, delta('Hel', 2), delta('lo, all.', 2), message('Hello, all.'))).toBe(
      'Hello, all.\n',
    )
  })

  it('starts over when the next attempt says something else', () => {
    expect(show(delta('Hello'), RESET, delta('Good day', 2), message('Good day.'))).toBe(
      'Hello\n[(the answer starts over)]\nGood day.\n',
    )
  })

  it('starts over when what was committed is not what streamed', () => {
    expect(show(delta('Hello, all'), message('Hello'))).toBe(
      'Hello, all\n[(the answer starts over)]\nHello\n',
    )
  })

  it('shows that a model thinks, once a message', () => {
    const thought: StreamItem = {
      kind: 'delta',
      delta: { turnId: 't', step: 1, attempt: 1, index: 0, reasoning: 'hm' },
    }
    expect(show(thought, thought, delta('Hello.'), message('Hello.'))).toBe('[(thinking …)]\nHello.\n')
  })

  it('shows a call when it starts, and its result only when it is no success', () => {
    const calls = [
      { callId: 'c1', tool: 'grep', arguments: '{"pattern":"x"}' },
      { callId: 'c2', tool: 'send', arguments: '{}' },
      { callId: 'c3', tool: 'bogus', arguments: '{}' },
    ]
    const started = { requestId: 'r', risk: 'low' } as const
    show(
      message('Let me see.', calls),
      event({
        type: 'tool/result',
        ...STEP,
        callId: 'c3',
        kind: 'unknown-tool',
        isError: true,
        content: 'There is no tool bogus.',
      }),
      event({ type: 'tool/call', ...STEP, callId: 'c1', tool: 'grep', ...started }),
      event({ type: 'tool/call', ...STEP, callId: 'c2', tool: 'send', ...started }),
      event({
        type: 'tool/result',
        ...STEP,
        callId: 'c2',
        kind: 'failed',
        isError: true,
        content: 'Error:\nno  network',
      }),
      event({ type: 'tool/result', ...STEP, callId: 'c1', kind: 'ok', isError: false, content: 'found' }),
    )
    expect(printed).toBe(
      [
        'Let me see.',
        '[→ bogus]',
        '[  bogus: unknown-tool. There is no tool bogus.]',
        '[→ grep pattern=x]',
        '[→ send]',
        '[  send: failed. Error: no network]',
        '',
      ].join('\n'),
    )
  })

  it("shows inputs of others, and one's own steer when it joins", () => {
    const input = { type: 'user/message', turnId: 't', turn: 1, content: 'Hi', origin: 'user' } as const
    show(
      event({ ...input, inputId: 'mine', via: 'followup' }),
      event({ ...input, inputId: 'other', via: 'followup' }),
      event({ ...input, inputId: 'mine', via: 'steer' }),
    )
    expect(printed).toBe('[> Hi]\n[» Hi]\n')
  })

  it('shows what a Turn took when a price is known', () => {
    const usage = { inputTokens: 1_000, outputTokens: 10, estimated: true } as const
    const end = { type: 'turn/end', turnId: 't', turn: 1, inputs: [], usage, reason: 'completed' } as const
    expect(show(event({ ...end, cost: 1_020 }))).toBe('[(about 1,010 tokens, $0.00102)]\n')
  })

  it('shows a hand-back plainly, and nothing of a success', () => {
    const end = { type: 'turn/end', turnId: 't', turn: 1, inputs: [], usage: NO_USAGE, cost: null } as const
    expect(show(event({ ...end, reason: 'completed' }))).toBe('')
    const handBack = {
      done: ['Ran grep.', 'Said: Hello.'],
      blockedBy: 'The step limit is used up.',
      next: 'Send a message.',
    }
    expect(show(event({ ...end, reason: 'max-steps', handBack }))).toBe(
      '[Handed back (max-steps): The step limit is used up.]\n[  Done: Ran grep.]\n[  Next: Send a message.]\n',
    )
  })
})
