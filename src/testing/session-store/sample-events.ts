/**
 * The events of small Turns, as their writers would append them.
 */
import type { EventBody, NewEvent } from '../../core/event.ts'
import { callKey, inputKey, stepKey, turnKey } from '../../core/ids.ts'

/** Where an event belongs: by default the first Step of the Session's first Turn, `t1`. */
interface Place {
  readonly turnId?: string
  readonly turn?: number
  readonly step?: number
}

function placed({ turnId = 't1', turn = 1, step = 1 }: Place) {
  return { turnId, turn, step }
}

export function turnStart(place: Place = {}): NewEvent {
  const { turnId, turn } = placed(place)
  return {
    type: 'turn/start',
    key: turnKey(turnId, 'start'),
    turnId,
    turn,
    inputs: [turnId],
    agent: 'assistant',
    agentDigest: 'digest',
    runId: 'run',
    firstExecutionRunId: 'first-run',
  }
}

/** Claimed at the Turn's opening. */
export function userMessage(inputId: string, place: Place = {}): NewEvent {
  const { turnId, turn } = placed(place)
  return {
    type: 'user/message',
    key: inputKey(inputId),
    turnId,
    turn,
    inputId,
    content: 'hello',
    via: 'followup',
    origin: 'user',
  }
}

export function stepStart(place: Place = {}): NewEvent {
  const { turnId, turn, step } = placed(place)
  return { type: 'step/start', key: stepKey(turnId, step, 'start'), turnId, turn, step }
}

export function stepEnd(place: Place = {}): NewEvent {
  const { turnId, turn, step } = placed(place)
  return { type: 'step/end', key: stepKey(turnId, step, 'end'), turnId, turn, step }
}

export function assistantMessage(text: string, place: Place = {}): NewEvent {
  const { turnId, turn, step } = placed(place)
  return {
    type: 'assistant/message',
    key: stepKey(turnId, step, 'message'),
    turnId,
    turn,
    step,
    text,
    calls: [],
    finish: 'stop',
    usage: { inputTokens: 3, outputTokens: 2 },
    model: 'scripted',
  }
}

export function toolCall(index: number, place: Place = {}): NewEvent {
  const { turnId, turn, step } = placed(place)
  return {
    type: 'tool/call',
    key: callKey(turnId, { step, index }, 'call'),
    turnId,
    turn,
    step,
    callId: `c${turn}_${step}_${index}`,
    tool: 'look',
    requestId: `${turnId}-${step}-${index}`,
    risk: 'low',
  }
}

export function toolResult(index: number, content: string, place: Place = {}): NewEvent {
  const { turnId, turn, step } = placed(place)
  return {
    type: 'tool/result',
    key: callKey(turnId, { step, index }, 'result'),
    turnId,
    turn,
    step,
    callId: `c${turn}_${step}_${index}`,
    kind: 'ok',
    isError: false,
    content,
  }
}

export function turnEnd(place: Place = {}): NewEvent {
  const { turnId, turn } = placed(place)
  return {
    type: 'turn/end',
    key: turnKey(turnId, 'end'),
    turnId,
    turn,
    reason: 'completed',
    inputs: [{ id: turnId, fate: 'claimed' }],
    usage: { inputTokens: 3, outputTokens: 2 },
    cost: null,
  }
}

/** Outside any Turn, where the fence lets it through at any time. */
export function inputRefused(
  inputId: string,
): NewEvent & Extract<EventBody, { readonly type: 'input/refused' }> {
  return {
    type: 'input/refused',
    key: inputKey(inputId),
    turnId: null,
    turn: null,
    inputId,
    reason: 'inbox-full',
  }
}
