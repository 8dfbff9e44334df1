import { canonicalArguments } from '../canonical-json.ts'
import type { Event, EventOf } from '../event.ts'
import { callIdOf } from '../ids.ts'
import type { ToolCall } from '../message.ts'
import { hasRun, isErrorReceipt } from '../receipt.ts'
import type { CheckFactory, Report } from './check.ts'

/** A call of the last message. */
interface Call {
  readonly call: ToolCall
  readonly message: EventOf<'assistant/message'>
  isClaimed: boolean
  isAnswered: boolean
}

type CallEvent = EventOf<'tool/call' | 'tool/result'>

/** Every call has one id, at most one claim, one receipt, and the receipt tells the truth about the claim. */
export const checkCalls: CheckFactory = (report) => {
  let calls = new Map<string, Call>()
  /** All calls of the Turn, in order. */
  let turnCalls: ToolCall[] = []

  const withCall = (event: CallEvent, then: (call: Call) => void): void => {
    const call = calls.get(event.callId)
    const isOfStep = call?.message.turnId === event.turnId && call.message.step === event.step
    if (call !== undefined && isOfStep) then(call)
    else report('call-exists', `${event.callId} is no call of this step`, event)
  }

  const endStep = (event: Event): void => {
    const open = [...calls.values()].filter(({ isAnswered }) => !isAnswered).map(({ call }) => call.callId)
    if (open.length > 0) report('every-call-answered', `no receipt for ${open.join(', ')}`, event)
    calls = new Map()
  }

  return {
    visit(event) {
      switch (event.type) {
        case 'turn/start':
          turnCalls = []
          break
        case 'assistant/message':
          turnCalls.push(...event.calls)
          checkCallIds(event, report)
          calls = new Map(event.calls.map((call) => [call.callId, openCall(call, event)]))
          break
        case 'tool/call':
          withCall(event, (call) => claimCall(call, event, report))
          break
        case 'tool/result':
          if (event.isError !== isErrorReceipt(event.kind)) {
            report('error-flag', `isError is ${event.isError} for ${event.kind}`, event)
          }
          withCall(event, (call) => answerCall(call, event, { report, calls }))
          if (event.kind === 'repeated') checkRepeated(turnCalls, event, report)
          break
        case 'step/end':
        case 'turn/end':
          endStep(event)
          break
        default:
          break
      }
    },
  }
}

function openCall(call: ToolCall, message: EventOf<'assistant/message'>): Call {
  return { call, message, isClaimed: false, isAnswered: false }
}

function checkCallIds(event: EventOf<'assistant/message'>, report: Report): void {
  event.calls.forEach(({ callId }, index) => {
    const expected = callIdOf({ turn: event.turn, step: event.step, index })
    if (callId !== expected)
      report('call-id', `call ${index} has the id ${callId} instead of ${expected}`, event)
  })
}

function claimCall(call: Call, event: EventOf<'tool/call'>, report: Report): void {
  if (call.isClaimed) report('one-claim', `${event.callId} was claimed before`, event)
  if (call.isAnswered) report('claim-before-receipt', `${event.callId} has its receipt already`, event)
  if (call.call.tool !== event.tool) report('call-exists', `${event.callId} calls another tool`, event)
  if (!isPositive(call.message)) {
    report(
      'positive-finish',
      `${event.callId} ran although its message finished ${call.message.finish}`,
      event,
    )
  }
  call.isClaimed = true
}

function answerCall(
  call: Call,
  event: EventOf<'tool/result'>,
  step: { readonly report: Report; readonly calls: ReadonlyMap<string, Call> },
): void {
  const { report, calls } = step
  const { kind, callId } = event
  if (call.isAnswered) report('one-receipt', `${callId} has its receipt already`, event)
  if (hasRun(kind) && !call.isClaimed && !isShared(call, calls)) {
    report('claim-before-receipt', `${callId} is ${kind} without a claim`, event)
  }
  if (!hasRun(kind) && call.isClaimed) {
    report('receipt-says-not-run', `${callId} is ${kind} but was claimed`, event)
  }
  if (!isPositive(call.message) && kind !== 'output-cut') {
    report(
      'positive-finish',
      `${callId} is ${kind} although its message finished ${call.message.finish}`,
      event,
    )
  }
  call.isAnswered = true
}

/** Whether an identical call of the same Step was claimed, whose execution answers this one, too. */
function isShared({ call }: Call, calls: ReadonlyMap<string, Call>): boolean {
  return [...calls.values()].some((other) => other.isClaimed && isSameCall(other.call, call))
}

function checkRepeated(calls: readonly ToolCall[], event: EventOf<'tool/result'>, report: Report): void {
  const index = calls.findIndex(({ callId }) => callId === event.callId)
  const call = calls[index]
  if (call === undefined || calls.slice(0, index).some((earlier) => isSameCall(earlier, call))) return
  report('repeated-call', `${event.callId} is the first of its kind in its turn`, event)
}

export function isSameCall(a: ToolCall, b: ToolCall): boolean {
  return a.tool === b.tool && canonicalArguments(a.arguments) === canonicalArguments(b.arguments)
}

function isPositive(message: EventOf<'assistant/message'>): boolean {
  return message.finish === 'stop' || message.finish === 'tool_calls'
}
